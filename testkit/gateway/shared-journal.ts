import type { PaymentJournal, SignedTransaction } from '@zbc-signer/host';
import { FlowFixture, SENT, sendDraft } from './flow-fixture.js';

/** Makes a payment that a gateway confirms. */
export async function madePayment(): Promise<SignedTransaction> {
  const fixture = await FlowFixture.start();
  const payment = await fixture.run(sendDraft());
  await fixture.gateway.stop();
  return { ...payment, sent: 'no' };
}

/** Tests what a journal promises to all programs that share it; `open` opens it for one more program. */
export const describeSharedJournal = (open: () => Required<PaymentJournal>): void =>
  describe('a journal that programs share', () => {
    let payment: SignedTransaction;
    let [journal, other] = [{}, {}] as [Required<PaymentJournal>, Required<PaymentJournal>];
    beforeAll(async () => {
      payment = await madePayment();
    });
    beforeEach(() => {
      [journal, other] = [open(), open()];
    });
    const { timestamp } = SENT;
    const laterBy = (seconds: bigint) => ({
      ...payment,
      transaction: { ...SENT, timestamp: timestamp + seconds },
    });

    test.each([
      ['accepted', 'yes'],
      ['unknown', 'maybe'],
    ] as const)(
      'a payment that ended with "%s" is no longer in flight, and its "sent" is "%s"',
      async (end, sent) => {
        await journal.signed(payment);
        expect(await other.pending()).toMatchObject([{ isInFlight: true }]);
        await journal.ended(payment.transactionHash, end);
        expect(await other.pending()).toMatchObject([{ isInFlight: false, sent }]);
      },
    );

    test.each(['confirmed', 'notSent', 'expired'] as const)(
      'a payment that ended with "%s" is no longer in the journal',
      async end => {
        await journal.signed(payment);
        await journal.ended(payment.transactionHash, end);
        expect(await other.pending()).toEqual([]);
        await journal.ended(payment.transactionHash, 'unknown');
        expect(await journal.pending()).toEqual([]);
      },
    );

    test('a payment that two programs submit is forgotten only if neither program has sent it', async () => {
      await journal.signed(payment);
      await other.signed(payment);
      await other.ended(payment.transactionHash, 'notSent');
      expect(await journal.pending()).toMatchObject([{ sent: 'maybe' }]);
      await journal.ended(payment.transactionHash, 'accepted');
      await other.signed(payment);
      await other.ended(payment.transactionHash, 'notSent');
      expect(await journal.pending()).toMatchObject([{ isInFlight: false, sent: 'yes' }]);
      await journal.ended(payment.transactionHash, 'confirmed');
      expect(await other.pending()).toEqual([]);
    });

    test('a payment that was withdrawn is not taken over', async () => {
      await journal.signed(payment);
      expect(await other.takeOver(payment)).toBe(true);
      await journal.ended(payment.transactionHash, 'notSent');
      await other.ended(payment.transactionHash, 'notSent');
      expect(await other.takeOver(payment)).toBe(false);
      expect(await journal.pending()).toEqual([]);
    });

    test('a payment that another program holds stays held until it is settled', async () => {
      await journal.signed(payment);
      await other.hold(payment.transactionHash);
      expect(await journal.pending()).toMatchObject([{ isInFlight: true, isHeld: true }]);
      await journal.ended(payment.transactionHash, 'accepted');
      await journal.signed(payment);
      expect(await journal.pending()).toMatchObject([{ isHeld: true, sent: 'yes' }]);
      await journal.ended(payment.transactionHash, 'confirmed');
      await journal.signed(payment);
      expect(await journal.pending()).toMatchObject([{ isHeld: false }]);
    });

    test('equal payments get different timestamps, and a payment that was not signed frees its timestamp', async () => {
      expect(await journal.reserve(payment, new Set())).toBe(timestamp);
      expect(await other.reserve(payment, new Set([timestamp + 1n]))).toBe(timestamp + 2n);
      await other.release(payment);
      expect(await other.reserve(payment, new Set())).toBe(timestamp);
      const unequal = { ...payment, transaction: { ...SENT, amount: 2n } };
      expect(await other.reserve(unequal, new Set())).toBe(timestamp);
    });

    test('timestamps are forgotten after a day, but payments are not', async () => {
      await journal.signed(payment);
      await journal.reserve(payment, new Set());
      await journal.reserve(laterBy(86_400n), new Set());
      expect(await other.reserve(payment, new Set())).toBe(timestamp + 1n);
      await journal.reserve(laterBy(86_402n), new Set());
      expect(await other.reserve(payment, new Set())).toBe(timestamp);
      expect(await journal.pending()).toHaveLength(1);
    });
  });
