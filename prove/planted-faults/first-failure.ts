// A reporter for jest that ends the run at the first failed test, which is enough to detect a fault.
import { writeFileSync } from 'node:fs';
import { env, exit } from 'node:process';

/** The report in the file that FIRST_FAILURE_FILE names; without `test` if all tests passed. */
export interface RunReport {
  file?: string;
  test?: string;
  /** The first line of the test's message. */
  why?: string;
}

function leave(report: RunReport): void {
  writeFileSync(env.FIRST_FAILURE_FILE!, JSON.stringify(report));
}

interface TestFile {
  path: string;
}

interface CaseResult {
  status: string;
  fullName: string;
  failureMessages: string[];
}

export default class FirstFailureReporter {
  onTestCaseResult({ path }: TestFile, { status, fullName, failureMessages }: CaseResult): void {
    if (status === 'failed') this.#end(path, fullName, failureMessages[0]?.split('\n')[0]);
  }

  onTestFileResult({ path }: TestFile, result: { numFailingTests: number; testExecError?: object }): void {
    if (result.testExecError || result.numFailingTests > 0) this.#end(path, 'the file did not run');
  }

  /** Leaves no report if no test ran, so that a fault whose tests are missing does not count as tried. */
  onRunComplete(_contexts: unknown, { numTotalTests }: { numTotalTests: number }): void {
    if (numTotalTests > 0) leave({});
  }

  #end(file: string, test: string, why?: string): never {
    leave({ file, test, ...(why !== undefined && { why }) });
    exit(1);
  }
}
