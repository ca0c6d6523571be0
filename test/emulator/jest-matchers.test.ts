import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import '../../emulator/src/jest.js';
import type { Emulator } from '../../emulator/src/index.js';
import { paymentReview, startPayment } from '../support/payment.js';

const FIRST_PAGE = ['Network', 'UNKNOWN CHAIN ', 'cf30b4a8'];

let emulator: Emulator;

beforeEach(async () => {
  ({ emulator } = await startPayment());
  await emulator.waitForReview();
});

afterEach(() => emulator.stop());

test('toShow compares the texts of the screen', () => {
  expect(emulator).toShow(FIRST_PAGE);
  expect(emulator).not.toShow(['Network']);
  expect(() => expect(emulator).toShow(['Network', 'main'])).toThrow(
    /expected: \["Network","main"\]\n {2}shown: {4}\["Network","UNKNOWN CHAIN ","cf30b4a8"\]/,
  );
  expect(() => expect(emulator).not.toShow(FIRST_PAGE)).toThrow('should not');
});

test('toShowReview compares all items', async () => {
  await expect(emulator).toShowReview(paymentReview);
  await expect(emulator).not.toShowReview([]);
  await expect(expect(emulator).toShowReview(paymentReview.slice(1))).rejects.toThrow('1 of 7 items differ');
  await expect(expect(emulator).not.toShowReview(paymentReview)).rejects.toThrow('should not');
});

test('toMatchSnapshots compares the pixels', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'matchers-'));
  const set = join(folder, 'set');
  await expect(expect(emulator).toMatchSnapshots(set, { ci: true })).rejects.toThrow('00000.png');
  await expect(emulator).toMatchSnapshots(set, { ci: false });
  await expect(emulator).toMatchSnapshots(set, { ci: true });
  await expect(expect(emulator).not.toMatchSnapshots(set)).rejects.toThrow('should not');
  await rm(folder, { recursive: true });
});

test('an error that is no mismatch is never taken for one, not even by not', async () => {
  await emulator.reject();
  const verdict = expect(emulator).not.toShowReview([]);
  emulator.stop();
  await expect(verdict).rejects.toThrow('the emulator was stopped');
});

test('the matchers take emulators only', () => {
  expect(() => expect('a text').toShow([])).toThrow('this matcher takes an Emulator');
});
