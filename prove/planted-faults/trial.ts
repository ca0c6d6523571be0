import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outputsOf, rebuild } from './build.js';
import { type PlantedFault, plant } from './fault.js';
import { type Failure, runTests, runWholeSuite } from './test-run.js';

/** `broken`: the fault could not be tried, so it says nothing about the tests. */
export interface Outcome {
  verdict: 'caught' | 'survived' | 'broken';
  /** The test that failed, or why the fault could not be tried. */
  why: string;
  /** No test that is listed for the fault failed, but another did. */
  elsewhere?: boolean;
}

/**
 * Plants one fault in a built workspace, rebuilds, runs the tests that are listed for it and, when those pass, all others
 * (unless `onlyListed`), and puts everything back.
 */
export async function tryFault(
  workspace: string,
  fault: PlantedFault,
  onlyListed: boolean,
): Promise<Outcome> {
  const files = [fault.path, ...outputsOf(fault.path)].map(path => join(workspace, path));
  const saved = files.map(file => readFileSync(file));
  let failure: Failure | undefined;
  try {
    writeFileSync(files[0]!, plant(saved[0]!.toString('utf8'), fault));
    await rebuild(workspace, fault.path);
    failure = runTests(workspace, fault.tests);
    if (failure) return { verdict: 'caught', why: describe(failure) };
    if (!onlyListed) failure = runWholeSuite(workspace);
  } catch (error) {
    return { verdict: 'broken', why: error instanceof Error ? error.message : String(error) };
  } finally {
    files.forEach((file, at) => {
      writeFileSync(file, saved[at]!);
    });
  }
  return failure ? judgeElsewhere(workspace, failure) : { verdict: 'survived', why: 'no test failed' };
}

/** A test that was not listed counts when it passes without the fault. */
function judgeElsewhere(workspace: string, failure: Failure): Outcome {
  return runTests(workspace, [failure.file])
    ? { verdict: 'broken', why: `fails without any fault too: ${describe(failure)}` }
    : { verdict: 'caught', why: describe(failure), elsewhere: true };
}

function describe({ file, test }: Failure): string {
  return `${file}: ${test}`;
}
