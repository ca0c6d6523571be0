// Measures whole signing sessions in this process, from the header to the verified signature, with every page
// drawn.
import { Emulator } from '@zbc-signer/emulator';
import { send, signTransaction } from '../testkit/device/apdu.js';
import { transactions } from '../testkit/repository/vectors.js';
import { check } from './harness.js';
import { processorMs } from './measure.js';

/** Processor time. */
const SECONDS = 3;

interface SessionRate {
  sessionsPerSecond: number;
  pages: number;
}

/**
 * Signs the reference transfer repeatedly with one emulator: presses the right button on every page, then
 * approves.
 */
export async function measureSessions(): Promise<SessionRate> {
  const emulator = await Emulator.start();
  const request = transactions.cases[0]!;
  const apdus = signTransaction(request);
  let pages = 0;
  let sessions = 0;
  const start = process.cpuUsage();
  let elapsed = 0;
  for (; elapsed < SECONDS; sessions++) {
    const reply = send(apdu => emulator.exchange(apdu), apdus);
    await emulator.waitForReview();
    for (pages = 1; emulator.texts()[1] !== 'approve: press both'; pages++) emulator.press('right');
    emulator.press('both');
    check(request, (await reply).data);
    elapsed = processorMs(start) / 1000;
  }
  emulator.stop();
  return { sessionsPerSecond: sessions / elapsed, pages };
}
