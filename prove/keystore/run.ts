// Runs the proofs of the keystore's module. With MODULE…, each module is proved; with --control MODULE…, a
// fault must be found in each module.
import { controlModules, failureOf } from '../control.js';
import { openWithGlobals } from '../wasm/exports.js';

/** A claim is false. */
export class FalseClaim extends Error {
  override readonly name = 'FalseClaim';
}

/** Proves one claim, and returns the text of the claim; throws if the claim is false. */
type Proof = () => string;

export const prepare = (path: string) => openWithGlobals(path).compiled;

export async function run(proofsOf: (path: string) => Iterable<Proof>): Promise<void> {
  const [first = '', ...paths] = process.argv.slice(2);
  if (first === '--control') {
    await controlModules(paths, path =>
      failureOf(() => {
        for (const proof of proofsOf(path)) proof();
      }),
    );
    return;
  }
  for (const proof of [first, ...paths].flatMap(path => [...proofsOf(path)])) {
    const start = process.cpuUsage();
    const shown = proof();
    const { user, system } = process.cpuUsage(start);
    console.log(`${shown}; ${((user + system) / 1e6).toFixed(1)} s`);
  }
}
