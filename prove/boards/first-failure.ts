/** What Jest says of a test that ended. */
interface CaseResult {
  status: string;
  ancestorTitles: string[];
  title: string;
  failureMessages: string[];
}

export const FAILURE = 'first failure: ';

/** A reporter of Jest that says which test failed first and ends the run: the others would only take time. */
export default class FirstFailure {
  onTestCaseResult(_file: unknown, { status, ancestorTitles, title, failureMessages }: CaseResult): void {
    if (status !== 'failed') return;
    const [why = ''] = (failureMessages[0] ?? '').split('\n');
    process.stdout.write(`${FAILURE}${[...ancestorTitles, title].join(' › ')}: ${why.slice(0, 100)}\n`);
    process.exit(1);
  }
}
