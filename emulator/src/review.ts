import { OK } from '../../protocol/status-words.js';
import { statusOf } from './device.js';
import { EmulatorStoppedError, NoReviewError } from './errors.js';
import type { Emulator } from './harness.js';
import type { Screen } from './platform.js';
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

/** Walks back to the first page of the review. */
export function walkToFirstPage(emulator: Emulator): void {
  for (let before = ''; before !== pageText(emulator); ) {
    before = pageText(emulator);
    emulator.press('left');
  }
}

/** Walks to the approve page, from either side; gives the screens of the pages that it left on the way to the right. */
export function walkToApprovePage(emulator: Emulator): Screen[] {
  const pages: Screen[] = [];
  if (isRejectPage(emulator.texts())) turnPage(emulator, 'left');
  while (!isApprovePage(emulator.texts())) {
    pages.push(emulator.screen);
    turnPage(emulator, 'right');
  }
  return pages;
}

export function walkToRejectPage(emulator: Emulator): void {
  while (!isRejectPage(emulator.texts())) turnPage(emulator, 'right');
}

function turnPage(emulator: Emulator, button: 'left' | 'right'): void {
  const before = pageText(emulator);
  emulator.press(button);
  if (pageText(emulator) === before) throw new NoReviewError('its pages end without an approve page');
}

const pageText = (emulator: Emulator): string => emulator.texts().join('\n');

const hexStatus = (reply: Uint8Array): string => statusOf(reply).toString(16).padStart(4, '0');
