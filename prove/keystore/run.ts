// Runs the proofs of the keystore's module. With MODULE…, each module is proved; with --control MODULE…, a
// fault must be found in each module.
import { readFileSync } from 'node:fs';
import { compileModule } from '#emulator/device/webassembly.js';
import { controlModules } from '../control.js';
import { exportGlobals } from '../wasm/exports.js';
import { decodeModule } from '../wasm/module.js';
import type { Prepared } from './machine.js';

/** A claim is false. */
export class FalseClaim extends Error {
  override readonly name = 'FalseClaim';
}

/** Proves one claim, and returns it in words; throws if it is false. */
type Proof = () => string;

export function prepare(path: string): Prepared {
  const wasm = readFileSync(path);
  const { length } = decodeModule(wasm).globals;
  return { compiled: compileModule(exportGlobals(wasm, length)), globals: length };
}

export async function run(proofsOf: (path: string) => Iterable<Proof>): Promise<void> {
  const [first = '', ...paths] = process.argv.slice(2);
  if (first === '--control') {
    await controlModules(paths, path => firstFailure(() => proofsOf(path)));
    return;
  }
  for (const proof of [first, ...paths].flatMap(path => [...proofsOf(path)])) {
    const start = process.cpuUsage();
    const shown = proof();
    const { user, system } = process.cpuUsage(start);
    console.log(`${shown}; ${((user + system) / 1e6).toFixed(1)} s`);
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
