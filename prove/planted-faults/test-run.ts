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
const REPORTER = 'dist/prove/planted-faults/first-failure.js';
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
  return runInWorkspace(workspace, filesOf(tests), 1, ALL_CASES);
}

/** Runs the failed tests by name. */
export function runFailures(workspace: string, failures: readonly Failure[]): Promise<Failure | undefined> {
  const names = failures.map(({ test }) => test.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const files = [...new Set(failures.map(({ file }) => file))];
  const selection = ['--testNamePattern', `^(?:${names.join('|')})$`, ...filesOf(files)];
  return runInWorkspace(workspace, selection, 2, ALL_CASES);
}

/** Selects test files, also those that `make test` ignores. */
function filesOf(tests: readonly string[]): string[] {
  return [IGNORING, '/node_modules/', '--runTestsByPath', ...tests.map(test => `dist/test/${test}.test.js`)];
}

/** Runs the tests of `make test` in a workspace with as many cases as there, up to the first failure. */
export function runWholeSuite(workspace: string): Promise<Failure | undefined> {
  const { jest } = JSON.parse(readText('package.json')) as { jest: { testPathIgnorePatterns: string[] } };
  const ofProcesses = (JSON.parse(readText('test/processes.json')) as string[]).map(
    path => `<rootDir>/dist/${path.replace(/\.ts$/, '.js')}`,
  );
  return runInWorkspace(
    workspace,
    [IGNORING, OWN_TEST, ...jest.testPathIgnorePatterns, ...ofProcesses],
    2,
    {},
  );
}

async function runInWorkspace(
  workspace: string,
  selection: string[],
  workers: number,
  settings: NodeJS.ProcessEnv,
): Promise<Failure | undefined> {
  const inBand = workers === 1 ? '--runInBand' : `--maxWorkers=${workers}`;
  const options = ['--cacheDirectory=dist/jest-cache', `--testTimeout=${TEST_TIME_LIMIT_MS}`, inBand];
  const outputs = join(workspace, 'dist');
  const { file, test } = await runJest(workspace, outputs, [...options, ...selection], settings);
  if (file === undefined || test === undefined) return undefined;
  return { file: file.slice(join(workspace, 'dist/test/').length).replace(/\.test\.js$/, ''), test };
}

/**
 * Runs tests of a built repository up to the first failure. The report, the output and temporary files go to
 * `directory`, with which the caller deletes what an aborted test leaves. Throws an Error if the tests do not end, or
 * end without a report.
 */
export async function runJest(
  repository: string,
  directory: string,
  options: string[],
  settings: NodeJS.ProcessEnv,
): Promise<RunReport> {
  const reportFile = join(directory, 'first-failure.json');
  const outputFile = join(directory, 'test-run.txt');
  const temporary = join(directory, 'temporary');
  rmSync(reportFile, { force: true });
  mkdirSync(temporary, { recursive: true });
  const ended = await runGroup([...JEST, `--reporters=${join(repository, REPORTER)}`, ...options], {
    cwd: repository,
    env: { ...process.env, ...settings, FIRST_FAILURE_FILE: reportFile, TMPDIR: temporary },
    outputFile,
    timeLimitMs: TIME_LIMIT_MS,
  });
  if (!ended) throw new Error(`its tests did not end: ${options.join(' ')}`);
  try {
    return JSON.parse(readFileSync(reportFile, 'utf8')) as RunReport;
  } catch {
    throw new Error(`its tests ended without a report\n${readFileSync(outputFile, 'utf8')}`);
  }
}
