import { faultsOf } from '../../prove/payments/audit.js';
import { runSchedules } from '../../prove/payments/run.js';
import type { Report } from '../../prove/payments/schedule.js';

const SCHEDULES = 20;
const TIMEOUT_MS = 120_000;

test(
  'what is reported of random payments through a gateway with faults is what is on the chain',
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
  ])('of a payment that is reported %s and is %d times on the chain', (outcome, times, isRight) => {
    expect(faultsOf([report(outcome)], () => times)).toHaveLength(isRight ? 0 : 1);
  });

  test('of two payments that are one transaction', () => {
    expect(faultsOf([report('sent'), report('sent')], () => 1)).toHaveLength(1);
    expect(faultsOf([report('sent'), report('sent', 'bb')], () => 1)).toEqual([]);
  });

  test('asks for nothing of what nobody approved', () => {
    expect(faultsOf([{ ...report('not approved'), hash: undefined }], () => 9)).toEqual([]);
  });
});
