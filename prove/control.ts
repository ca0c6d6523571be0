// Runs the controls of the proofs: every planted fault must be found.
import { once } from 'node:events';
import { basename, dirname } from 'node:path';
import { Worker } from 'node:worker_threads';

/** A claim is false on some path, or could not be shown. */
export class UnprovenClaim extends Error {
  override readonly name: string = 'UnprovenClaim';
}

type Found = string | undefined;

/** A fault, and a function that looks for the fault; it returns undefined if it finds nothing. */
export type Trial = readonly [fault: string, find: () => Found | Promise<Found>];

/** Counts the found faults, and prints them if `isTold`. Sets the exit code if a fault is not found. */
export async function runControls(trials: Iterable<Trial>, isTold = true): Promise<number> {
  let count = 0;
  for (const [fault, find] of trials) {
    const found = await find();
    if (found === undefined) {
      console.error(`the planted fault was not found: ${fault}`);
      process.exitCode = 1;
      continue;
    }
    count++;
    if (isTold) console.log(`${`${fault}: `.padEnd(32)}${found.slice(0, 160)}`);
  }
  return count;
}

/** Like `runControls`, for modules in directories that are named after their faults. */
export function controlModules(
  paths: readonly string[],
  find: (path: string) => Found | Promise<Found>,
): Promise<number> {
  return runControls(paths.map(path => [basename(dirname(path)), () => find(path)]));
}

/** Returns the reason why a proof fails; undefined if it succeeds. */
export function refutationOf(prove: () => unknown): string | undefined {
  try {
    prove();
    return undefined;
  } catch (error) {
    if (!(error instanceof UnprovenClaim)) throw error;
    return error.message;
  }
}

/** Returns the message of any error that a function throws; undefined if it throws none. */
export function failureOf(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Returns the message that a script sends from its own thread. */
export async function inThread<Outcome>(script: URL, workerData: object): Promise<Outcome> {
  const [outcome] = await once(new Worker(script, { workerData }), 'message');
  return outcome as Outcome;
}

/**
 * Proves the modules of the command line, and prints the claims and the processor time of each proof. With
 * --control MODULE…, a proof of each module must fail. A proof returns its claim in words.
 */
export async function runProofs(proofsOf: (path: string) => Iterable<() => string>): Promise<void> {
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
    const claim = proof();
    const { user, system } = process.cpuUsage(start);
    console.log(`${claim}; ${((user + system) / 1e6).toFixed(1)} s`);
  }
}
