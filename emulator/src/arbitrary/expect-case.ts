import { encodeTransaction, type ReviewItem, statusWordOf, type Transaction, toHex } from '@zbc-signer/chain';
import * as reasons from '@zbc-signer/protocol/refusal-reasons';
import * as statusWords from '@zbc-signer/protocol/status-words';
import { transactionUpload } from '../commands.js';
import type { Emulator } from '../harness/emulator.js';
import type { ExpectedRefusal, SigningCase } from './signing-case.js';

/**
 * Encodes the case's transaction with `encode`, sends it to the emulator, and rejects the review. If the case
 * has edited bytes, sends these instead. If the device must refuse the case, `encode` may throw.
 *
 * The emulator must hold the seed of the case's sender. Throws a ReviewMismatchError if the device shows
 * other items than expected, and an Error if it does not refuse as expected or if the encoder's bytes are
 * wrong.
 */
export async function expectCase(
  emulator: Emulator,
  signingCase: SigningCase,
  encode: (transaction: Transaction) => Uint8Array = encodeTransaction,
): Promise<void> {
  const { expected, request, isEncoding, linked } = signingCase;
  let bytes = signingCase.bytes;
  try {
    if (isEncoding) bytes = encode(request.transaction);
  } catch (error) {
    if ('refusal' in expected) return;
    throw error;
  }
  const { genesisHash: genesis, token } = request;
  const commands = transactionUpload({ account: 0, genesis, transaction: bytes, linked, token });
  const { answer, decision } = await send(emulator, commands);
  try {
    if ('review' in expected) await checkReview(emulator, expected.review, answer);
    else checkRefusal(expected.refusal, answer);
  } finally {
    if (emulator.reviewing) emulator.cancel();
    await decision?.catch(() => undefined);
  }
  // The bytes are compared too, because some signed fields, such as the timestamp, are not shown.
  if (toHex(bytes) !== toHex(signingCase.bytes)) {
    throw new Error(`the encoder's bytes are ${toHex(bytes)}, not ${toHex(signingCase.bytes)}`);
  }
}

async function checkReview(
  emulator: Emulator,
  items: readonly ReviewItem[],
  answer: Uint8Array | undefined,
): Promise<void> {
  if (answer) throw new Error(`the device answers ${toHex(answer)} instead of showing a review`);
  await emulator.expectReview(items);
  await emulator.reject();
}

function checkRefusal(
  { status, field, offset, reason }: ExpectedRefusal,
  answer: Uint8Array | undefined,
): void {
  const number = reasons[reason.toUpperCase().replaceAll('-', '_') as keyof typeof reasons];
  const detail = Uint8Array.of(field, offset, offset >>> 8, number);
  const wanted = toHex(detail) + statusWords[status].toString(16);
  if (answer && toHex(answer) === wanted) return;
  const did = answer ? `answers ${toHex(answer)}` : 'shows a review';
  throw new Error(`the device ${did} instead of refusing with ${wanted}: ${reason}, field ${field}`);
}

/** Has the last `answer` if no review opened, otherwise the pending `decision`. */
interface Sent {
  answer?: Uint8Array;
  decision?: Promise<Uint8Array>;
}

/** Sends the commands in order, up to the first that opens a review or fails. */
async function send(emulator: Emulator, commands: readonly Uint8Array[]): Promise<Sent> {
  let answer: Uint8Array | undefined;
  for (const command of commands) {
    const decision = emulator.exchange(command);
    if (emulator.reviewing) return { decision };
    answer = await decision;
    if (statusWordOf(answer) !== statusWords.OK) break;
  }
  return answer ? { answer } : {};
}
