import { Emulator } from '@zbc-signer/emulator';
import { send, signTransaction } from '../../../testkit/device/apdu.js';
import { payment, paymentResult, paymentReview } from '../../../testkit/device/payment.js';
import { transactions } from '../../../testkit/repository/vectors.js';

// The test takes seconds on an idle machine; only a much slower machine needs more.
const TIMEOUT_MS = 180_000;

test(
  'runs 1,000 emulators at once in one process, each with a different transaction on its screen',
  async () => {
    const emulators = await Promise.all(Array.from({ length: 1000 }, () => Emulator.start()));
    const cases = emulators.map((_, index) => transactions.cases[index % transactions.cases.length]!);
    const replies = emulators.map((emulator, index) =>
      send(apdu => emulator.exchange(apdu), signTransaction(cases[index]!)),
    );
    await Promise.all(emulators.map(emulator => emulator.waitForReview()));
    expect(emulators.every(emulator => emulator.reviewing)).toBe(true);
    await Promise.all(emulators.map(emulator => emulator.approve()));
    const signed = (await Promise.all(replies)).map(({ data }) => data.toString('hex'));
    expect(signed).toEqual(cases.map(({ expect: { signature, tx_hash } }) => signature + tx_hash));
    for (const emulator of emulators) emulator.stop();
  },
  TIMEOUT_MS,
);

test(
  'starts, reviews, compares, approves and stops 200 times, with the same result each time',
  async () => {
    const results = new Set<string>();
    for (let run = 0; run < 200; run++) {
      const emulator = await Emulator.start();
      const reply = send(apdu => emulator.exchange(apdu), signTransaction(payment));
      await emulator.expectReview(paymentReview);
      await emulator.approve();
      results.add((await reply).data.toString('hex'));
      emulator.stop();
    }
    expect([...results]).toEqual([paymentResult]);
  },
  TIMEOUT_MS,
);
