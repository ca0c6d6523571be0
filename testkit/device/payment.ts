import { Emulator } from '@zbc-signer/emulator';
import { transactions } from '../repository/vectors.js';
import { type Reply, send, signTransaction } from './apdu.js';

/** A transfer with a message, from the vectors. */
export const payment = transactions.cases.find(({ name }) => name === 'published: send-zbc/message')!;
/** The items of the review of `payment` in the vectors. */
export const paymentReview = payment.expect.review;
/** The reply after an approval of `payment`, in hex. */
export const paymentResult = payment.expect.signature + payment.expect.tx_hash;

/** Starts a device, and opens the review of `payment`. Returns the device and the pending reply. */
export async function startPayment(): Promise<{ emulator: Emulator; reply: Promise<Reply> }> {
  const emulator = await Emulator.start();
  const reply = send(apdu => emulator.exchange(apdu), signTransaction(payment));
  // If a test fails, it stops the device during the review, and the reply is rejected.
  reply.catch(() => undefined);
  await emulator.waitForReview();
  return { emulator, reply };
}
