import type { Emulator } from '@zbc-signer/emulator';
import { send } from '../../testkit/device/apdu.js';

export async function startReview(
  emulator: Emulator,
  apdus: Uint8Array[],
): Promise<{ done: ReturnType<typeof send> }> {
  const done = send(bytes => emulator.exchange(bytes), apdus);
  // If an expectation fails before the reply, stopping the emulator rejects `done`. Nobody awaits `done` then,
  // so the rejection is ignored here.
  done.catch(() => undefined);
  await emulator.waitForReview();
  return { done };
}

/** Returns what `read` finds in a review, and then rejects the review. */
export async function readReview<Found>(
  emulator: Emulator,
  apdus: Uint8Array[],
  read: () => Found | Promise<Found>,
): Promise<Found> {
  const { done } = await startReview(emulator, apdus);
  const found = await read();
  await emulator.reject();
  expect((await done).status).toBe('6985');
  return found;
}

export const itemsOf = (emulator: Emulator, apdus: Uint8Array[]) =>
  readReview(emulator, apdus, () => emulator.review());

/** Returns what `look` finds on each page before the decisions. */
export function walk<Found>(emulator: Emulator, look: () => Found): Found[] {
  const pages: Found[] = [];
  for (; emulator.texts()[1] !== 'approve: press both'; emulator.press('right')) pages.push(look());
  return pages;
}

/** Returns the frame of every page. */
export const framesOf = (emulator: Emulator, apdus: Uint8Array[]) =>
  readReview(emulator, apdus, () => walk(emulator, () => Buffer.from(emulator.frame()).toString('base64')));
