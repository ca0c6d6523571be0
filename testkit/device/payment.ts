import { Emulator } from '@zbc-signer/emulator';
import { transactions } from '../repository/vectors.js';
import { type Reply, send, signTransaction } from './apdu.js';

/** A transfer of the vectors, with a message. */
export const payment = transactions.cases.find(({ name }) => name === 'published: send-zbc/message')!;
/** Its items as the vectors have them. */
export const paymentReview = payment.expect.review;
/** What it is answered when approved, in hex. */
export const paymentResult = payment.expect.signature + payment.expect.tx_hash;

/** A device, and its answer to the transfer, which is on its screen: it comes when somebody decides. */
export async function startPayment(): Promise<{ emulator: Emulator; reply: Promise<Reply> }> {
  const emulator = await Emulator.start();
  const reply = send(apdu => emulator.exchange(apdu), signTransaction(payment));
  // A test that fails stops the device with the review on its screen.
  reply.catch(() => undefined);
  await emulator.waitForReview();
  return { emulator, reply };
}
