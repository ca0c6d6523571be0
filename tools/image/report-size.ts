// Prints what an image takes, and fails when that is too much: report-size.js SYMBOLS CALL_GRAPH...
import { readFileSync } from 'node:fs';
import { CallGraph } from './call-graph.js';
import { readSymbols } from './symbols.js';

const FLASH_START = 0x10000000;
const SRAM_START = 0x20000000;
const MAX_FLASH = 96 * 1024;
const MAX_SRAM = 128 * 1024;
const SPARE_STACK = 2048;
/**
 * What the core pushes at an interrupt, and four bytes to align it. Interrupts of one priority do not nest.
 */
const EXCEPTION_FRAME = 36;

/**
 * The stack of what comes from newlib, libgcc, armv6m-multiply.S and the boot ROM: at least what their code
 * pushes.
 */
const LIBRARY = {
  memcpy: 32,
  memmove: 32,
  memset: 32,
  memcmp: 32,
  __aeabi_lmul: 12,
  multiply_signed_32: 8,
  __aeabi_llsl: 0,
  __aeabi_llsr: 0,
  __aeabi_lasr: 0,
  __aeabi_uidiv: 32,
  __aeabi_uidivmod: 32,
  __aeabi_idiv: 32,
  __aeabi_idivmod: 32,
  __aeabi_uldivmod: 96,
  __clzsi2: 16,
  __clzdi2: 32,
  __bswapsi2: 0,
  rom: 128,
};
const INDIRECT = { flash_write: ['rom'], rom_function: ['rom'], board_wipe_and_reset: ['wipe_and_reset'] };

const [symbolFile, ...graphFiles] = process.argv.slice(2);
if (!symbolFile) throw new Error('usage: report-size.js SYMBOLS CALL_GRAPH...');
const symbols = readSymbols(symbolFile);

function symbol(name: string): number {
  const value = symbols.get(name);
  if (value === undefined) throw new Error(`${symbolFile} has no ${name}`);
  return value;
}

const graph = new CallGraph(
  graphFiles.map(file => readFileSync(file, 'utf8')),
  LIBRARY,
  { ...INDIRECT, board_wipe_and_reset: [] },
);
const code = symbol('text_end') - symbol('text_start');
const stack =
  graph.depth('main') +
  EXCEPTION_FRAME +
  Math.max(graph.depth('usb_interrupt'), graph.depth('timer_interrupt'), graph.depth('trap'));

/** Each row: what, how much it takes, how much it may take. */
const rows: [string, number, number][] = [
  ['flash', symbol('text_in_flash') + code - FLASH_START, MAX_FLASH],
  ['SRAM', symbol('bss_end') - SRAM_START, MAX_SRAM],
  ['stack, at most', stack, symbol('stack_top') - symbol('stack_bottom') - SPARE_STACK],
];
for (const [what, bytes, limit] of rows) {
  console.log(`${what.padEnd(16)}${String(bytes).padStart(8)} bytes of ${limit}`);
  if (bytes > limit) process.exitCode = 1;
}
console.log(`${'code'.padEnd(16)}${String(code).padStart(8)} bytes`);
