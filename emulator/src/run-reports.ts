import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { type JunitCase, renderJunit } from './junit.js';
import { checkOptions } from './options.js';
import { findSnapshotChanges } from './snapshots/changes.js';
import { renderSnapshotPage } from './snapshots/page.js';

/** A runner's report of a test, in the format of Jest. */
export interface TestResult {
  title: string;
  ancestorTitles: readonly string[];
  status: string;
  duration?: number | null | undefined;
  failureMessages: readonly string[];
}

/** A runner's report of a test file. */
export interface FileResult {
  testFilePath: string;
  testResults: readonly TestResult[];
  /** Why the file could not run. */
  failureMessage?: string | null | undefined;
  testExecError?: unknown;
}

/** Output files of the reporter, relative to the project's root. */
export interface SignerReporterOptions {
  /** JUnit file of the run. Default: none. */
  junit?: string;
  /** Page of every changed snapshot, if there are any. Default: none. */
  differences?: string;
}

const OPTIONS: Readonly<Record<keyof SignerReporterOptions, true>> = { junit: true, differences: true };

/** The reports of a run of tests: a JUnit file, and one page of all changed snapshots. */
export class RunReports {
  constructor(
    private readonly runner: string,
    private readonly options: SignerReporterOptions,
  ) {
    checkOptions(options, OPTIONS);
  }

  /** Writes the reports under `rootDir`. */
  async write(rootDir: string, files: readonly FileResult[]): Promise<void> {
    const { junit, differences } = this.options;
    if (junit !== undefined) {
      const suites = files.map(each => suiteOf(rootDir, each));
      writeReport(resolve(rootDir, junit), renderJunit(this.runner, suites));
    }
    if (differences === undefined) return;
    const { changes, leftOut } = await findSnapshotChanges(rootDir);
    if (changes.length === 0) return;
    const path = resolve(rootDir, differences);
    writeReport(path, await renderSnapshotPage(changes, { leftOut }));
    process.stderr.write(`\n${changes.length} changed snapshots: ${path}\n`);
  }
}

function suiteOf(rootDir: string, { testFilePath, testResults, testExecError, failureMessage }: FileResult) {
  const name = relative(rootDir, testFilePath);
  const whole: TestResult = {
    title: 'the file runs',
    ancestorTitles: [],
    status: 'failed',
    failureMessages: [failureMessage ?? ''],
  };
  const results = testExecError === undefined ? testResults : [...testResults, whole];
  return { name, cases: results.map(result => caseOf(name, result)) };
}

function writeReport(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function caseOf(
  file: string,
  { title, ancestorTitles, status, duration, failureMessages }: TestResult,
): JunitCase {
  const message = stripVTControlCharacters(failureMessages.join('\n\n'));
  const isRun = status === 'passed' || status === 'failed';
  return {
    className: file,
    name: [...ancestorTitles, title].join(' › '),
    milliseconds: duration ?? 0,
    outcome: isRun ? status : 'skipped',
    message: isRun ? message : status,
    attachments: attachmentsOf(message),
  };
}

/** The files named in a message of the harness. */
function attachmentsOf(message: string): string[] {
  const named = message.matchAll(/^ *trace: (.+)$|pixels differ, see (.+\.diff\.png)$/gm);
  return [...new Set([...named].map(([, trace, picture]) => trace ?? picture ?? ''))];
}
