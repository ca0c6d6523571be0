import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../../testkit/repository/repository.js';
import type { RunReport } from './first-failure.js';
import { runGroup } from './process-group.js';

const JEST = [
  '--experimental-vm-modules',
  '--no-warnings',
  // tools/test.mjs uses the same option.
  '--max-semi-space-size=32',
  '--single-threaded-gc',
  'node_modules/jest/bin/jest.js',
  '--watchman=false',
];
const REPORTER = '<rootDir>/dist/prove/planted-faults/first-failure.js';
/**
 * The test of the list of faults. It is excluded, because every mutation changes a source and so makes it
 * fail.
 */
const OWN_TEST = 'test/prove/planted-faults';
/** A fault may make a test wait. The test then fails after this time, and ends the run. */
const TEST_TIME_LIMIT_MS = 60_000;
const TIME_LIMIT_MS = 600_000;
const ALL_CASES = { ALL_CASES: '1' };
const IGNORING = '--testPathIgnorePatterns';

/** The first failed test; its file is a path under test/ without `.test.ts`. */
export interface Failure {
  file: string;
  test: string;
}

/** Runs test files of a workspace, given as paths under test/ without `.test.ts`, up to the first failure. */
export function runTests(workspace: string, tests: readonly string[]): Promise<Failure | undefined> {
  return runJest(workspace, filesOf(tests), 1, ALL_CASES);
}

/** Runs the failed tests by name. */
export function runFailures(workspace: string, failures: readonly Failure[]): Promise<Failure | undefined> {
  const names = failures.map(({ test }) => test.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const files = [...new Set(failures.map(({ file }) => file))];
  const selection = ['--testNamePattern', `^(?:${names.join('|')})$`, ...filesOf(files)];
  return runJest(workspace, selection, 2, ALL_CASES);
}

function filesOf(tests: readonly string[]): string[] {
  return ['--runTestsByPath', ...tests.map(test => `dist/test/${test}.test.js`), IGNORING, OWN_TEST];
}

/** Runs the tests of `make test` in a workspace with as many cases as there, up to the first failure. */
export function runWholeSuite(workspace: string): Promise<Failure | undefined> {
  const { jest } = JSON.parse(readText('package.json')) as { jest: { testPathIgnorePatterns: string[] } };
  const ofProcesses = (JSON.parse(readText('test/processes.json')) as string[]).map(
    path => `<rootDir>/dist/${path.replace(/\.ts$/, '.js')}`,
  );
  return runJest(workspace, [IGNORING, ...jest.testPathIgnorePatterns, ...ofProcesses], 2, {});
}

/** Throws an Error if the tests do not end, or end without a report. */
async function runJest(
  workspace: string,
  selection: string[],
  workers: number,
  settings: Readonly<Record<string, string>>,
): Promise<Failure | undefined> {
  const reportFile = join(workspace, 'dist/first-failure.json');
  const outputFile = join(workspace, 'dist/test-run.txt');
  const temporary = join(workspace, 'dist/temporary');
  rmSync(reportFile, { force: true });
  mkdirSync(temporary, { recursive: true });
  const options = [
    `--reporters=${REPORTER}`,
    '--cacheDirectory=dist/jest-cache',
    `--testTimeout=${TEST_TIME_LIMIT_MS}`,
  ];
  const inBand = workers === 1 ? '--runInBand' : `--maxWorkers=${workers}`;
  const ended = await runGroup([...JEST, ...options, inBand, ...selection], {
    cwd: workspace,
    // Files left by an aborted test are deleted with the workspace.
    env: { ...process.env, ...settings, FIRST_FAILURE_FILE: reportFile, TMPDIR: temporary },
    outputFile,
    timeLimitMs: TIME_LIMIT_MS,
  });
  if (!ended) throw new Error(`its tests did not end: ${selection.join(' ')}`);
  return readFailure(workspace, reportFile, outputFile);
}

function readFailure(workspace: string, reportFile: string, outputFile: string): Failure | undefined {
  try {
    const { file, test } = JSON.parse(readFileSync(reportFile, 'utf8')) as RunReport;
    if (file === undefined || test === undefined) return undefined;
    return { file: file.slice(join(workspace, 'dist/test/').length).replace(/\.test\.js$/, ''), test };
  } catch {
    throw new Error(`its tests ended without a report\n${readFileSync(outputFile, 'utf8')}`);
  }
}
