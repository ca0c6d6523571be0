import { type Emulator, NoReviewError, type ReviewItem, ReviewMismatchError } from '@zbc-signer/emulator';
import { getPublicKey, type Reply, send, signTransaction } from '../../../testkit/device/apdu.js';
import { paymentResult, paymentReview, startPayment } from '../../../testkit/device/payment.js';
import { transactions } from '../../../testkit/repository/vectors.js';

const APPROVE_PAGE = ['Sign transaction', 'approve: press both'];

let emulator: Emulator;
let reply: Promise<Reply>;

beforeEach(async () => {
  ({ emulator, reply } = await startPayment());
});

afterEach(() => {
  emulator.cancel();
  return emulator.stop();
});

const messageOf = (items: readonly ReviewItem[]): Promise<string> =>
  emulator.expectReview(items).then(
    () => 'as expected',
    (error: Error) => error.message,
  );
const replace = (at: number, ...items: ReviewItem[]) => paymentReview.toSpliced(at, 1, ...items);

test('accepts the review of the vectors, and leaves the device on its approve page', async () => {
  await emulator.expectReview(paymentReview);
  expect(emulator.texts()).toEqual(APPROVE_PAGE);
  await emulator.approve();
  expect((await reply).data.toString('hex')).toBe(paymentResult);
});

test('reads the review from its first page, whichever page is shown', async () => {
  await emulator.waitForReview();
  emulator.press('right');
  emulator.press('right');
  await emulator.expectReview(paymentReview);
  await emulator.expectReview(paymentReview);
  emulator.press('right');
  await emulator.expectReview(paymentReview);
});

test('ignores the line feeds of a value', async () => {
  const {
    name,
    expect: expected,
    ...request
  } = transactions.cases.find(({ expect: { review } }) => review.some(([, value]) => value.includes('\n')))!;
  await emulator.reject();
  const signed = send(apdu => emulator.exchange(apdu), signTransaction(request));
  await emulator.expectReview(expected.review);
  await emulator.reject();
  await signed;
});

test('points at the first character that differs', async () => {
  const message = await messageOf(replace(2, ['Amount', '1.5 ZBC']));
  const lines = message.split('\n');
  expect(lines[0]).toBe('the review differs: 1 of 7 items');
  const at = lines.indexOf('  - Amount         1.5 ZBC');
  expect(lines.slice(at + 1, at + 3)).toEqual(['  + Amount         1 ZBC', '                    ^']);
  expect(lines).toContain('    Fee            0.05 ZBC');
  expect(emulator.texts()).toEqual(APPROVE_PAGE);
});

test.each<[string, ReviewItem[], string[]]>([
  [
    'is not shown',
    paymentReview.toSpliced(2, 0, ['Burn', '7 ZBC']),
    ['1 of 8', '- Burn           7 ZBC   (not shown)'],
  ],
  [
    'was not expected',
    paymentReview.toSpliced(4, 1),
    ['1 of 7', '+ Fee            0.05 ZBC   (not expected)'],
  ],
  [
    'has another title',
    replace(4, ['Tip', '0.05 ZBC']),
    ['2 of 8', '- Tip            0.05 ZBC   (not shown)', '+ Fee            0.05 ZBC   (not expected)'],
  ],
])('names an item that %s, and does not report the later items as different', async (_what, items, words) => {
  const message = await messageOf(items);
  for (const word of words) expect(message).toContain(word);
});

test('rejects the right items in another order, and an empty list of items', async () => {
  expect(await messageOf(paymentReview.toReversed())).toContain('not expected');
  expect(await messageOf([])).toContain('7 of 7 items');
});

test('throws an error that contains both reviews', async () => {
  const error: unknown = await emulator.expectReview([]).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ReviewMismatchError);
  expect(error).toMatchObject({ code: 'REVIEW_MISMATCH', expected: [], shown: paymentReview });
});

test('ends at once when the device refuses', async () => {
  await emulator.reject();
  const expectation = emulator.expectReview([]);
  await emulator.exchange(getPublicKey(0x80000000));
  await expect(expectation).rejects.toThrow(NoReviewError);
});
