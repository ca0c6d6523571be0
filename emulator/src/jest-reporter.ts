import { type FileResult, RunReports, type SignerReporterOptions } from './run-reports.js';

export type { FileResult, SignerReporterOptions, TestResult } from './run-reports.js';

/**
 * A reporter for Jest, which writes a JUnit file with the traces and differing pictures of failed tests, and
 * one page of all changed snapshots.
 * @example
 * reporters: ['default', ['@zbc-signer/emulator/jest-reporter', { junit: 'junit.xml' }]]
 */
export default class SignerReporter {
  readonly #reports: RunReports;

  constructor(
    private readonly config: { rootDir: string },
    options: SignerReporterOptions = {},
  ) {
    this.#reports = new RunReports('jest', options);
  }

  /** Called by Jest at the end of a run. */
  async onRunComplete(
    _contexts: unknown,
    { testResults }: { testResults: readonly FileResult[] },
  ): Promise<void> {
    await this.#reports.write(this.config.rootDir, testResults);
  }
}
