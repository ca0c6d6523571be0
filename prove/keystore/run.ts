// What the proofs of the keystore's module have in common: MODULE… proves each, --control MODULE… must find a fault
// in each.
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { compileModule } from '#emulator/device/webassembly.js';
import { exportGlobals } from '../wasm/exports.js';
import { decodeModule } from '../wasm/module.js';
import type { Prepared } from './machine.js';

/** What was to be shown does not hold. */
export class Wrong extends Error {
  override readonly name = 'Wrong';
}

/** Shows one thing, and says what; throws when it does not hold. */
type Proof = () => string;

export function prepare(path: string): Prepared {
  const wasm = readFileSync(path);
  const { length } = decodeModule(wasm).globals;
  return { compiled: compileModule(exportGlobals(wasm, length)), globals: length };
}

export function run(proofsOf: (path: string) => Iterable<Proof>): void {
  const [first = '', ...paths] = process.argv.slice(2);
  if (first !== '--control') {
    for (const proof of [first, ...paths].flatMap(path => [...proofsOf(path)])) {
      const start = process.cpuUsage();
      const shown = proof();
      const { user, system } = process.cpuUsage(start);
      console.log(`${shown}; ${((user + system) / 1e6).toFixed(1)} s`);
    }
    return;
  }
  for (const path of paths) {
    const found = firstFailure(() => proofsOf(path));
    const name = `${basename(dirname(path))}:`;
    if (found) console.log(`${name.padEnd(32)}${found.slice(0, 160)}`);
    else {
      console.error(`${name} nothing is found`);
      process.exitCode = 1;
    }
  }
}

function firstFailure(proofsOf: () => Iterable<Proof>): string | undefined {
  try {
    for (const proof of proofsOf()) proof();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
