import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plant } from '../mutation.js';
import { outputsOf } from './build.js';
import type { PlantedFault } from './fault.js';
import { type Failure, runTests, runWholeSuite } from './test-run.js';

/** `broken` means that the fault could not be tried, which says nothing about the tests. */
export interface Outcome {
  verdict: 'caught' | 'survived' | 'broken';
  /** The failed test, or why the fault could not be tried. */
  why: string;
  failure?: Failure;
  /** Set if only a test that is not listed failed. */
  byUnlistedTest?: boolean;
}

/**
 * Applies one fault in a built workspace, rebuilds, runs its listed tests and, if those pass, all others, and
 * restores the files.
 */
export async function tryFault(
  workspace: string,
  fault: PlantedFault,
  rebuild: (path: string) => Promise<void>,
): Promise<Outcome> {
  try {
    const failure = await failureOf(workspace, fault, rebuild);
    if (!failure) return { verdict: 'survived', why: 'no test failed' };
    const byUnlistedTest = !fault.tests.includes(failure.file);
    return { verdict: 'caught', why: describe(failure), failure, byUnlistedTest };
  } catch (error) {
    return { verdict: 'broken', why: error instanceof Error ? error.message : String(error) };
  }
}

async function failureOf(
  workspace: string,
  fault: PlantedFault,
  rebuild: (path: string) => Promise<void>,
): Promise<Failure | undefined> {
  const files = [fault.path, ...outputsOf(fault.path)].map(path => join(workspace, path));
  const saved = files.map(file => readFileSync(file));
  try {
    plant(files[0]!, fault);
    await rebuild(fault.path);
    const failure = await runTests(workspace, fault.tests);
    return failure ?? (await runWholeSuite(workspace));
  } finally {
    files.forEach((file, at) => {
      writeFileSync(file, saved[at]!);
    });
  }
}

export function describe({ file, test }: Failure): string {
  return `${file}: ${test}`;
}
