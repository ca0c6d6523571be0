// The controls of the proofs: every planted fault must be found.
import { basename, dirname } from 'node:path';

/** A claim is false on some path, or could not be shown. */
export class NotShown extends Error {
  override readonly name = 'NotShown';
}

type Found = string | undefined;

/** A fault, and the function that finds it; undefined if nothing is found. */
export type Trial = readonly [fault: string, find: () => Found | Promise<Found>];

/** Counts the found faults; sets the exit code if one is not found. */
export async function control(trials: Iterable<Trial>, isTold = true): Promise<number> {
  let count = 0;
  for (const [fault, find] of trials) {
    const found = await find();
    if (found === undefined) {
      console.error(`${fault} is not found`);
      process.exitCode = 1;
      continue;
    }
    count++;
    if (isTold) console.log(`${`${fault}:`.padEnd(32)}${found.slice(0, 160)}`);
  }
  return count;
}

/** The same for modules in directories named after their faults. */
export function controlModules(
  paths: readonly string[],
  find: (path: string) => Found | Promise<Found>,
): Promise<number> {
  return control(paths.map(path => [basename(dirname(path)), () => find(path)]));
}

/** Why a proof fails; undefined if it succeeds. */
export function refutationOf(prove: () => unknown): string | undefined {
  try {
    prove();
    return undefined;
  } catch (error) {
    if (!(error instanceof NotShown)) throw error;
    return error.message;
  }
}
