import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { basename } from 'node:path';

/** Whoever is measured has this processor to itself. */
const MEASURED = 0;
/** Here are whoever asks and whoever is asked. */
const OTHERS = 1;

export const ON_MEASURED = ['taskset', '-c', `${MEASURED}`] as const;
export const ON_OTHERS = ['taskset', '-c', `${OTHERS}`] as const;

/** Why programs cannot be measured against each other here; undefined when they can. */
export function whyNotMeasured(programs: readonly string[]): string | undefined {
  if (cpus().length < 2) return 'not measured: there is one processor';
  const missing = ['taskset', ...programs].find(program => spawnSync(program, ['-v']).error !== undefined);
  return missing === undefined ? undefined : `not measured: ${basename(missing)} is not installed`;
}
