import { Emulator } from '@zbc-signer/emulator';
import { transactions } from '../repository/vectors.js';
import { type Reply, send, signTransaction } from './apdu.js';

/** A transfer of the vectors, with a message. */
export const payment = transactions.cases.find(({ name }) => name === 'published: send-zbc/message')!;
/** The items of its review in the vectors. */
export const paymentReview = payment.expect.review;
/** The reply after its approval, in hex. */
export const paymentResult = payment.expect.signature + payment.expect.tx_hash;

/** A device with the transfer on its screen, and its pending answer. */
export async function startPayment(): Promise<{ emulator: Emulator; reply: Promise<Reply> }> {
  const emulator = await Emulator.start();
  const reply = send(apdu => emulator.exchange(apdu), signTransaction(payment));
  // A failing test stops the device with the review on its screen.
  reply.catch(() => undefined);
  await emulator.waitForReview();
  return { emulator, reply };
}
