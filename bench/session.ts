// Measures whole signing sessions in this process, from the header to the verified signature, with every page
// drawn.
import { signingDigest, verify } from '@zbc-signer/chain';
import { Emulator } from '@zbc-signer/emulator';
import { signTransaction } from '../testkit/device/apdu.js';
import { transactions } from '../testkit/repository/vectors.js';

const SECONDS = 3;

interface SessionRate {
  sessionsPerSecond: number;
  pages: number;
}

/** Signs the reference transfer repeatedly with one emulator; noble checks the first session's signature. */
export async function measureSessions(): Promise<SessionRate> {
  const emulator = await Emulator.start();
  const apdus = signTransaction(transactions.cases[0]!);
  await checkFirst(emulator, apdus);
  let pages = 0;
  let sessions = 0;
  const start = process.hrtime.bigint();
  let elapsed = 0;
  for (; elapsed < SECONDS; sessions++) {
    pages = await signOnce(emulator, apdus);
    elapsed = Number(process.hrtime.bigint() - start) / 1e9;
  }
  emulator.stop();
  return { sessionsPerSecond: sessions / elapsed, pages };
}

/**
 * Signs once: presses the right button on every page, then approves. Returns the number of pages. The
 * firmware verifies the signature.
 */
async function signOnce(emulator: Emulator, apdus: Uint8Array[]): Promise<number> {
  const reply = await startSigning(emulator, apdus);
  let pages = 1;
  for (; emulator.texts()[1] !== 'approve: press both'; pages++) emulator.press('right');
  emulator.press('both');
  const { length } = await reply.bytes;
  if (length !== 98) throw new Error(`the reply has ${length} bytes, but 98 bytes were expected`);
  return pages;
}

/**
 * Sends every command. The promise of the last reply is in an object, so that awaiting this does not await
 * it.
 */
async function startSigning(
  emulator: Emulator,
  apdus: Uint8Array[],
): Promise<{ bytes: Promise<Uint8Array> }> {
  for (const apdu of apdus.slice(0, -1)) await emulator.exchange(apdu);
  return { bytes: emulator.exchange(apdus.at(-1)!) };
}

async function checkFirst(emulator: Emulator, apdus: Uint8Array[]): Promise<void> {
  const { bytes } = await startSigning(emulator, apdus);
  await emulator.approve();
  const { genesis, tx } = transactions.cases[0]!;
  const transaction = Buffer.from(tx, 'hex');
  const digest = signingDigest(Buffer.from(genesis, 'hex'), transaction);
  const publicKey = transaction.subarray(17, 49);
  if (!verify((await bytes).subarray(0, 64), digest, publicKey))
    throw new Error('the signature does not verify');
}
