import { type FileResult, RunReports, type SignerReporterOptions } from './run-reports.js';

export type { SignerReporterOptions } from './run-reports.js';

interface VitestError {
  message: string;
  stack?: string;
}

interface Vitest {
  config: { root: string };
}

/** Vitest's report of a test. */
interface TestCase {
  fullName: string;
  result(): { state: string; errors?: readonly VitestError[] };
  diagnostic(): { duration: number } | undefined;
}

/** Vitest's report of a test file. */
interface TestModule {
  moduleId: string;
  children: { allTests(): Iterable<TestCase> };
  errors(): readonly VitestError[];
}

/**
 * A reporter for Vitest, which writes the same files as the reporter for Jest.
 * @example
 * reporters: ['default', ['@zbc-signer/emulator/vitest-reporter', { junit: 'junit.xml' }]]
 */
export default class SignerReporter {
  readonly #reports: RunReports;
  #root = process.cwd();

  constructor(options: SignerReporterOptions = {}) {
    this.#reports = new RunReports('vitest', options);
  }

  /** Called by Vitest at its start. */
  onInit({ config }: Vitest): void {
    this.#root = config.root;
  }

  /** Called by Vitest at the end of a run. */
  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    await this.#reports.write(this.#root, modules.map(resultOf));
  }
}

function resultOf(module: TestModule): FileResult {
  const [fault] = module.errors();
  return {
    testFilePath: module.moduleId,
    testResults: Array.from(module.children.allTests(), test => {
      const { state, errors: failures = [] } = test.result();
      return {
        title: test.fullName,
        ancestorTitles: [],
        status: state,
        duration: test.diagnostic()?.duration,
        failureMessages: failures.map(describe),
      };
    }),
    ...(fault && { testExecError: fault, failureMessage: describe(fault) }),
  };
}

/** The stack usually begins with the message. */
const describe = ({ message, stack = '' }: VitestError): string =>
  stack.includes(message) ? stack : `${message}\n${stack}`;
