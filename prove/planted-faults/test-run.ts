import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { RunReport } from './first-failure.js';

const JEST = [
  '--experimental-vm-modules',
  '--no-warnings',
  'node_modules/jest/bin/jest.js',
  '--watchman=false',
];
const REPORTER = '<rootDir>/dist/prove/planted-faults/first-failure.js';
/** The test that looks at the list of faults: it sees every planted fault as a change of the source. */
const OWN_TEST = 'test/prove/planted-faults';
const TIME_LIMIT_MS = 300_000;

/** The first test that failed; the file as a path under test/ without `.test.ts`. */
export interface Failure {
  file: string;
  test: string;
}

/** Runs test files of a workspace, given as paths under test/ without `.test.ts`, up to the first failure. */
export function runTests(workspace: string, tests: readonly string[], workers = 1): Failure | undefined {
  const files = tests.map(test => `dist/test/${test}.test.js`);
  return runJest(workspace, ['--runTestsByPath', ...files], workers);
}

/** Runs every test of a workspace, up to the first failure. */
export function runWholeSuite(workspace: string): Failure | undefined {
  return runJest(workspace, [`--testPathIgnorePatterns=${OWN_TEST}`], 2);
}

/** Throws an Error when the tests do not end, or end without a report. */
function runJest(workspace: string, selection: string[], workers: number): Failure | undefined {
  const reportFile = join(workspace, 'dist/first-failure.json');
  const temporary = join(workspace, 'dist/temporary');
  rmSync(reportFile, { force: true });
  mkdirSync(temporary, { recursive: true });
  const options = [`--reporters=${REPORTER}`, '--cacheDirectory=dist/jest-cache'];
  const { error, stderr } = spawnSync(
    process.execPath,
    [...JEST, ...options, workers === 1 ? '--runInBand' : `--maxWorkers=${workers}`, ...selection],
    {
      cwd: workspace,
      encoding: 'utf8',
      timeout: TIME_LIMIT_MS,
      // What a test leaves behind because its run was ended goes with the workspace.
      env: { ...process.env, FIRST_FAILURE_FILE: reportFile, TMPDIR: temporary },
    },
  );
  if (error) throw new Error(`its tests did not end: ${error.message}`);
  return readFailure(workspace, reportFile, stderr);
}

function readFailure(workspace: string, reportFile: string, stderr: string): Failure | undefined {
  try {
    const { file, test } = JSON.parse(readFileSync(reportFile, 'utf8')) as RunReport;
    if (file === undefined || test === undefined) return undefined;
    return { file: file.slice(join(workspace, 'dist/test/').length).replace(/\.test\.js$/, ''), test };
  } catch {
    throw new Error(`its tests ended without a report\n${stderr}`);
  }
}
