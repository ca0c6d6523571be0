import { OK } from '../../protocol/status-words.js';
import { statusOf } from './device.js';
import { EmulatorStoppedError, NoReviewError } from './errors.js';
import type { Emulator } from './harness.js';
import { isApprovePage, isRejectPage } from './review-pages.js';

/** Resolves when a review is on the screen; what it rejects with is told at `Emulator.waitForReview`. */
export function awaitReview(emulator: Emulator, timeoutMs: number): Promise<void> {
  if (emulator.reviewing) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const end = (error?: Error) => {
      clearTimeout(timer);
      emulator.off('command', onCommand).off('stop', onStop);
      if (error) reject(error);
      else resolve();
    };
    const crashes = emulator.crashes.length;
    const onCommand = (reply: Uint8Array | undefined) => {
      if (emulator.crashes.length > crashes) end(emulator.crashes.at(-1));
      else if (!reply) end();
      else if (statusOf(reply) !== OK)
        end(new NoReviewError(`the device answered ${hexStatus(reply)} instead`));
    };
    const onStop = () => end(new EmulatorStoppedError());
    const timer = setTimeout(() => end(new NoReviewError(`none came within ${timeoutMs} ms`)), timeoutMs);
    emulator.on('command', onCommand).on('stop', onStop);
  });
}

/** Walks to the approve page, from either side; gives the texts of the pages that it left on the way to the right. */
export function walkToApprovePage(emulator: Emulator): string[][] {
  const pages: string[][] = [];
  if (isRejectPage(emulator.texts())) turnPage(emulator, 'left');
  while (!isApprovePage(emulator.texts())) {
    pages.push(emulator.texts());
    turnPage(emulator, 'right');
  }
  return pages;
}

export function walkToRejectPage(emulator: Emulator): void {
  while (!isRejectPage(emulator.texts())) turnPage(emulator, 'right');
}

function turnPage(emulator: Emulator, button: 'left' | 'right'): void {
  const before = emulator.texts().join('\n');
  emulator.press(button);
  if (emulator.texts().join('\n') === before)
    throw new NoReviewError('its pages end without an approve page');
}

const hexStatus = (reply: Uint8Array): string => statusOf(reply).toString(16).padStart(4, '0');
