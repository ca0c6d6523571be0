import type { Emulator } from '@zbc-signer/emulator';

/**
 * Approves the review of the command whose reply is `reply`, and stops the emulator. Resolves with all
 * screens of the review, up to the one for the approval.
 */
export async function screensOfReview(emulator: Emulator, reply: Promise<unknown>): Promise<ReviewScreen[]> {
  await emulator.waitForReview();
  const screens = [screenOf(emulator)];
  while (emulator.texts()[1] !== 'approve: press both') {
    emulator.press('right');
    screens.push(screenOf(emulator));
  }
  emulator.press('both');
  await reply;
  emulator.stop();
  return screens;
}

interface ReviewScreen {
  title: string;
  png: Uint8Array;
}

function screenOf(emulator: Emulator): ReviewScreen {
  return { title: emulator.texts()[0]!, png: emulator.png() };
}
