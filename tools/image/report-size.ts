// Prints the sizes of an image, and fails if they exceed the limits in the board's memory.ld. Usage:
// report-size.js SYMBOLS 'INTERRUPTS' CALL_GRAPH...
import { readFileSync } from 'node:fs';
import { CallGraph } from './call-graph.js';

/**
 * The stack usage, in bytes, of functions of the compiler's libraries, of armv6m-multiply.S and of the boot
 * ROM. It is at least the size of the registers that they push.
 */
const LIBRARY = {
  memcpy: 32,
  memmove: 32,
  memset: 32,
  memcmp: 32,
  __aeabi_lmul: 12,
  __aeabi_llsl: 0,
  __aeabi_llsr: 0,
  __aeabi_lasr: 0,
  __ashldi3: 0,
  __ashrdi3: 0,
  __lshrdi3: 0,
  __aeabi_uidiv: 32,
  __aeabi_uidivmod: 32,
  __aeabi_idiv: 32,
  __aeabi_idivmod: 32,
  __aeabi_uldivmod: 96,
  __udivdi3: 96,
  __umoddi3: 96,
  __clzsi2: 16,
  __clzdi2: 32,
  __ctzdi2: 32,
  __bswapsi2: 0,
  __bswapdi2: 0,
  cmse_check_address_range: 16,
  rom: 128,
};
const CALL_ROM = [
  'begin_commands',
  'end_commands',
  'change_flash',
  'flash_read_id',
  'flash_write',
  'flash_erase',
  'flash_program',
  'rom_function',
  'wait_for_image',
];
const INDIRECT = { ...Object.fromEntries(CALL_ROM.map(name => [name, ['rom']])), board_wipe_and_reset: [] };

const [symbolFile, interrupts, ...graphFiles] = process.argv.slice(2);
if (!symbolFile || !interrupts) throw new Error("usage: report-size.js SYMBOLS 'INTERRUPTS' CALL_GRAPH...");
const symbols = new Map(
  readFileSync(symbolFile, 'utf8')
    .split('\n')
    .map(line => line.split(' '))
    .map(([address = '', , name = '']) => [name, Number.parseInt(address, 16)]),
);

function symbol(name: string): number {
  const value = symbols.get(name);
  if (value === undefined) throw new Error(`${symbolFile} has no ${name}`);
  return value;
}

const graph = new CallGraph(
  graphFiles.map(file => readFileSync(file, 'utf8')),
  LIBRARY,
  INDIRECT,
);
const stack =
  graph.depth('main') +
  symbol('interrupt_frame') +
  Math.max(...interrupts.split(' ').map(name => graph.depth(name)));

/** Rows with a name, a size in bytes and its limit. */
const rows: [string, number, number][] = [
  ['flash', symbol('flash_end') - symbol('flash_start'), symbol('flash_limit')],
  ['RAM', symbol('bss_end') - symbol('ram_start'), symbol('ram_limit')],
  ['stack, at most', stack, symbol('stack_top') - symbol('stack_bottom') - symbol('stack_spare')],
];
for (const [what, bytes, limit] of rows) {
  console.log(`${what.padEnd(16)}${String(bytes).padStart(8)} bytes of ${limit}`);
  if (bytes > limit) process.exitCode = 1;
}
