import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import '@zbc-signer/emulator/jest';
import type { Emulator } from '@zbc-signer/emulator';
import { paymentReview, startPayment } from '../../../testkit/device/payment.js';

const FIRST_PAGE = ['Network', 'UNKNOWN CHAIN ', 'cf30b4a8'];

let emulator: Emulator;

beforeEach(async () => {
  ({ emulator } = await startPayment());
  await emulator.waitForReview();
});

afterEach(() => {
  emulator.cancel();
  return emulator.stop();
});

test('toShow compares the texts of the screen', () => {
  expect(emulator).toShow(FIRST_PAGE);
  expect(emulator).not.toShow(['Network']);
  expect(() => expect(emulator).toShow(['Network', 'main'])).toThrow(
    /expected: \["Network","main"\]\n {2}actual: {3}\["Network","UNKNOWN CHAIN ","cf30b4a8"\]/,
  );
  expect(() => expect(emulator).not.toShow(FIRST_PAGE)).toThrow(' not ');
});

test('toShowReview compares all items', async () => {
  await expect(emulator).toShowReview(paymentReview);
  await expect(emulator).not.toShowReview([]);
  await expect(expect(emulator).toShowReview(paymentReview.slice(1))).rejects.toThrow('1 of 7 items');
  await expect(expect(emulator).not.toShowReview(paymentReview)).rejects.toThrow(' not ');
});

test('toMatchSnapshots compares the pixels', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'matchers-'));
  const set = join(directory, 'set');
  await expect(expect(emulator).toMatchSnapshots(set, { ci: true })).rejects.toThrow('00000.png');
  await expect(emulator).toMatchSnapshots(set, { ci: false });
  await expect(emulator).toMatchSnapshots(set, { ci: true });
  await expect(expect(emulator).not.toMatchSnapshots(set)).rejects.toThrow(' not ');
  await rm(directory, { recursive: true });
});

test('an error other than a mismatch fails the matcher, even with `not`', async () => {
  await emulator.reject();
  const verdict = expect(emulator).not.toShowReview([]);
  await emulator.exchange(Uint8Array.of(0xe0, 0xff, 0, 0, 0));
  await expect(verdict).rejects.toThrow('the device answered 6D00 instead of opening a review');
});

test('the matchers accept only emulators', () => {
  expect(() => expect('a text').toShow([])).toThrow('this matcher needs an Emulator');
});
