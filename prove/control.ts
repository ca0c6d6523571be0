// The controls of the proofs: what has a planted fault must be found.
import { basename, dirname } from 'node:path';

/** What was to be shown does not hold on some path, or could not be shown. */
export class NotShown extends Error {
  override readonly name = 'NotShown';
}

type Found = string | undefined;

/** A fault, and what finds it: undefined where nothing is found. */
export type Trial = readonly [fault: string, find: () => Found | Promise<Found>];

/** How many are found; one that is not sets the exit code. */
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

/** The same of modules that are each in a directory with the name of its fault. */
export function controlModules(
  paths: readonly string[],
  find: (path: string) => Found | Promise<Found>,
): Promise<number> {
  return control(paths.map(path => [basename(dirname(path)), () => find(path)]));
}

/** Why a proof fails; undefined when it shows what is to be shown. */
export function refutationOf(prove: () => unknown): string | undefined {
  try {
    prove();
    return undefined;
  } catch (error) {
    if (!(error instanceof NotShown)) throw error;
    return error.message;
  }
}
