// declassify <in.c> <out.c>: prepares the translated module for Memcheck.
import { readFileSync, writeFileSync } from 'node:fs';

/** Functions that write a public value to their first argument, with the Memcheck call for their return. */
const PUBLIC_RESULTS = {
  w2c_firmware_assembly_crypto_point_encodePoint: 'declassify_point',
  w2c_firmware_assembly_crypto_scalar_addScalar: 'declassify_sum',
  w2c_firmware_assembly_handlers_key_proveContactTo: 'declassify_proof',
};

/** The function whose returned value is public, with the Memcheck call that returns this value. */
const VERDICT = ['w2c_firmware_assembly_handlers_key_isProvedContact', 'declassify_verdict'] as const;

const PRELUDE = `
#include "taint.h"
static inline u32 branch_on(u32 condition) {
  if (condition) __asm__ volatile("" ::: "memory");
  return condition;
}
`;

/** Adds a statement at the end of a function. Throws if the function no longer exists. */
function addAtExit(source: string, name: string, statement: string): string {
  const start = source.search(new RegExp(`^static \\w+ ${name}\\(.*\\) \\{$`, 'm'));
  const end = source.indexOf('\n}\n', start);
  const body = source.slice(start, end);
  const exit = body.lastIndexOf('FUNC_EPILOGUE;');
  if (start < 0 || exit < 0)
    throw new Error(`the module has no function ${name}: update prove/constant-time/declassify.ts`);
  if (statement.includes('w2c_p0') && /w2c_p0 = /.test(body))
    throw new Error(`${name} assigns to its first parameter, which must keep the address of the result`);
  return `${source.slice(0, start + exit)}${statement}\n  ${source.slice(start + exit)}`;
}

/** Turns every `select` into a branch, because Memcheck does not report conditional moves. */
function branchOnSelects(source: string): string {
  const select = /^( *w2c_\w+ = )(w2c_\w+)( \? w2c_\w+ : w2c_\w+;)$/gm;
  return source.replace(select, '$1branch_on(!!$2)$3');
}

const [input, output] = process.argv.slice(2) as [string, string];
let prepared = readFileSync(input, 'utf8').replace(/^#include "signer.h"$/m, line => line + PRELUDE);
for (const [name, call] of Object.entries(PUBLIC_RESULTS))
  prepared = addAtExit(prepared, name, `${call}(instance->w2c_memory.data + w2c_p0);`);
prepared = addAtExit(prepared, VERDICT[0], `w2c_i0 = ${VERDICT[1]}(w2c_i0);`);
writeFileSync(output, branchOnSelects(prepared));
