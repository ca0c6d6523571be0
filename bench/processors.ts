import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { basename } from 'node:path';

/** Reserved for the measured process. */
const MEASURED = 0;
/** For the load generator and the upstream. */
const OTHERS = 1;

export const ON_MEASURED = ['taskset', '-c', `${MEASURED}`] as const;
export const ON_OTHERS = ['taskset', '-c', `${OTHERS}`] as const;

/** Why programs cannot be measured against each other here; undefined when they can. */
export function whyNotMeasured(programs: readonly string[]): string | undefined {
  if (cpus().length < 2) return 'not measured: there is one processor';
  const missing = ['taskset', ...programs].find(program => spawnSync(program, ['-v']).error !== undefined);
  return missing === undefined ? undefined : `not measured: ${basename(missing)} is not installed`;
}
