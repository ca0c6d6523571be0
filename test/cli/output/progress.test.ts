import { reportProgress } from '#cli/output/progress.js';
import type { Terminal } from '#cli/output/terminal.js';
import { SENT } from '../../../testkit/gateway/flow-fixture.js';

function said(highShare: number | undefined): string[] {
  const lines: string[] = [];
  const terminal = { report: (line: string) => void lines.push(line) } as Partial<Terminal> as Terminal;
  reportProgress(terminal, true)({ step: 'fee', fee: 2_500_000n, minimumFee: 2_500_000n, highShare });
  return lines;
}

test.each<[number | undefined, string]>([
  [undefined, 'Fee: 0.025 ZBC'],
  [0.25, 'Fee: 0.025 ZBC; WARNING: this is 25 % of the amount'],
  [2.5, 'Fee: 0.025 ZBC; WARNING: this is 250 % of the amount'],
  [2_500_000, 'Fee: 0.025 ZBC; WARNING: this is 2500000 times the amount'],
])('the fee is shown, with a warning if it is a large share of the amount: %j', (share, line) => {
  expect(said(share)).toEqual([line]);
});

test('after Ctrl-C the hint says that nothing was sent, but only until the device has signed', () => {
  const terminal = {
    report: () => undefined,
    wait: async () => undefined,
    style: (_, text) => text,
  } as Partial<Terminal> as Terminal;
  const report = reportProgress(terminal, true);
  report({ step: 'review', items: [], transaction: SENT });
  expect(terminal.interruptionHint).toContain('Nothing was sent');
  report({ step: 'signed', transactionHash: new Uint8Array(32) });
  expect(terminal.interruptionHint).toBeUndefined();
});
