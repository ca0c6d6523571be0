import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const JEST = [
  '--experimental-vm-modules',
  '--no-warnings',
  'node_modules/jest/bin/jest.js',
  '--watchman=false',
];
/** The test that looks at this list itself: it sees every planted fault as a change of the source. */
const OWN_TEST = 'test/prove/planted-faults';
const TIME_LIMIT_MS = 300_000;

/** The first test that failed, or the first file that did not run. */
export interface Failure {
  file: string;
  test: string;
}

interface JestReport {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
}

/** Runs test files of a workspace, given as paths under test/ without `.test.ts`, up to the first failure. */
export function runTests(workspace: string, tests: readonly string[], workers = 1): Failure | undefined {
  const files = tests.map(test => `dist/test/${test}.test.js`);
  return runJest(workspace, ['--runTestsByPath', ...files], workers);
}

/** Runs every test of a workspace, up to the first failure. */
export function runWholeSuite(workspace: string): Failure | undefined {
  return runJest(workspace, ['--testPathIgnorePatterns', OWN_TEST], 2);
}

/** Throws an Error when the tests do not end, or end without a report. */
function runJest(workspace: string, selection: string[], workers: number): Failure | undefined {
  const reportFile = join(workspace, 'dist/planted-faults.json');
  rmSync(reportFile, { force: true });
  const options = ['--bail', '--json', `--outputFile=${reportFile}`, '--cacheDirectory=dist/jest-cache'];
  const { error, stderr } = spawnSync(
    process.execPath,
    [...JEST, ...options, workers === 1 ? '--runInBand' : `--maxWorkers=${workers}`, ...selection],
    { cwd: workspace, encoding: 'utf8', timeout: TIME_LIMIT_MS, maxBuffer: 1 << 28 },
  );
  if (error) throw new Error(`its tests did not end: ${error.message}`);
  return firstFailure(readReport(reportFile, stderr), workspace);
}

function readReport(file: string, stderr: string): JestReport {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as JestReport;
  } catch {
    throw new Error(`its tests ended without a report\n${stderr}`);
  }
}

function firstFailure({ testResults }: JestReport, workspace: string): Failure | undefined {
  const failed = testResults.find(({ status }) => status === 'failed');
  if (failed === undefined) return undefined;
  const test = failed.assertionResults.find(({ status }) => status === 'failed');
  const file = failed.name.slice(join(workspace, 'dist/test/').length).replace(/\.test\.js$/, '');
  return { file, test: test?.fullName ?? 'the file did not run' };
}
