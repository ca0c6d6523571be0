import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { type JunitCase, renderJunit } from './junit.js';
import { checkOptions } from './options.js';
import { findSnapshotChanges } from './snapshots/changes.js';
import { renderSnapshotPage } from './snapshots/page.js';

/** What Jest gives of a test. */
export interface TestResult {
  title: string;
  ancestorTitles: readonly string[];
  status: string;
  duration?: number | null | undefined;
  failureMessages: readonly string[];
}

/** What Jest gives of a file of tests. */
export interface FileResult {
  testFilePath: string;
  testResults: readonly TestResult[];
  /** Why the file could not be run. */
  failureMessage?: string | null | undefined;
  testExecError?: unknown;
}

/** Where the reporter writes, from Jest's `rootDir`. */
export interface SignerReporterOptions {
  /** JUnit file of the run. Default: none. */
  junit?: string;
  /** Page of every changed snapshot, written when there is one. Default: none. */
  differences?: string;
}

const OPTIONS: Readonly<Record<keyof SignerReporterOptions, true>> = { junit: true, differences: true };

/**
 * A reporter for Jest: a JUnit file, in which a failed test names the trace of its session and the pictures
 * that differ, and one page of all changed snapshots.
 * @example
 * reporters: ['default', ['@zbc-signer/emulator/jest-reporter', { junit: 'junit.xml' }]]
 */
export default class SignerReporter {
  constructor(
    private readonly config: { rootDir: string },
    private readonly options: SignerReporterOptions = {},
  ) {
    checkOptions(options, OPTIONS);
  }

  /** Called by Jest at the end of a run. */
  async onRunComplete(
    _contexts: unknown,
    { testResults }: { testResults: readonly FileResult[] },
  ): Promise<void> {
    const { junit, differences } = this.options;
    if (junit !== undefined)
      this.#write(
        junit,
        renderJunit(
          'jest',
          testResults.map(each => this.#suiteOf(each)),
        ),
      );
    if (differences === undefined) return;
    const { changes, leftOut } = await findSnapshotChanges(this.config.rootDir);
    if (changes.length === 0) return;
    const path = this.#write(differences, await renderSnapshotPage(changes, { leftOut }));
    process.stderr.write(`\n${changes.length} changed snapshots: ${path}\n`);
  }

  #suiteOf({ testFilePath, testResults, testExecError, failureMessage }: FileResult) {
    const name = relative(this.config.rootDir, testFilePath);
    const whole: TestResult = {
      title: 'the file runs',
      ancestorTitles: [],
      status: 'failed',
      failureMessages: [failureMessage ?? ''],
    };
    const results = testExecError === undefined ? testResults : [...testResults, whole];
    return { name, cases: results.map(result => caseOf(name, result)) };
  }

  #write(name: string, text: string): string {
    const path = resolve(this.config.rootDir, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }
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

/** The files that a message of the harness names. */
function attachmentsOf(message: string): string[] {
  const named = message.matchAll(/^ *trace: (.+)$|pixels differ, see (.+\.diff\.png)$/gm);
  return [...new Set([...named].map(([, trace, picture]) => trace ?? picture ?? ''))];
}
