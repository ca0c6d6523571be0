import { faultsOf } from './audit.js';
import { runSchedules } from './run.js';
import type { Report } from './schedule.js';

const SCHEDULES = 20;
const TIMEOUT_MS = 120_000;

test(
  'reports of random payments through a gateway with faults agree with the chain',
  async () => {
    const { reports, faults } = await runSchedules(SCHEDULES, 8);
    expect(faults).toEqual([]);
    expect(reports.filter(({ hash }) => hash !== undefined).length).toBeGreaterThan(SCHEDULES / 4);
  },
  TIMEOUT_MS,
);

describe('the audit', () => {
  const report = (outcome: Report['outcome'], hash = 'aa'): Report => ({ hash, outcome, code: undefined });

  test.each<[Report['outcome'], number, boolean]>([
    ['sent', 1, true],
    ['sent', 0, false],
    ['sent', 2, false],
    ['no', 0, true],
    ['no', 1, false],
    ['maybe', 0, true],
    ['maybe', 1, true],
    ['maybe', 2, false],
    ['duplicate', 1, true],
    ['duplicate', 0, false],
  ])(
    'of a payment that is reported as "%s" and is on the chain %d times passes: %s',
    (outcome, times, isRight) => {
      expect(faultsOf([report(outcome)], () => times)).toHaveLength(isRight ? 0 : 1);
    },
  );

  test('finds a fault if two payments are reported as sent but are one transaction', () => {
    expect(faultsOf([report('sent'), report('sent')], () => 1)).toHaveLength(1);
    expect(faultsOf([report('sent'), report('sent', 'bb')], () => 1)).toEqual([]);
  });

  test('ignores payments that nobody approved', () => {
    expect(faultsOf([{ ...report('not approved'), hash: undefined }], () => 9)).toEqual([]);
  });
});
