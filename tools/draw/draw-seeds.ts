// The screens in docs/seeds-new.png and seeds-restore.png: the pages for making a seed with dice, and for
// entering its words.
import { type Button, createSeed, Emulator, restoreSeed } from '@zbc-signer/emulator';

/** The rolls in docs/KEYSTORE.md and docs/SEEDS.md, and the resulting words. */
export const ROLLS = '56422515446216114636161334631131452264516634453564';
export const WORDS = 'engine alcohol echo trophy rough alien tunnel have among equip father sponsor';
const DEVICE: readonly RegExp[] = [
  /^New seed/,
  /^Words$/,
  /^Randomness/,
  /^Device's part/,
  /^Roll 1 of/,
  /^Roll 1 of/,
  /^Rolls/,
  /^Words \(1/,
  /^Word 1 is/,
  /^Passphrase/,
  /^Fingerprint/,
  /^ZBC Signer/,
];
const RESTORE: readonly RegExp[] = [
  /^Restore seed/,
  /^12 words/,
  ...Array.from({ length: 8 }, () => /^Word 1 of/),
  /^Passphrase/,
  /^Fingerprint/,
];

/**
 * Returns one of the pages that are shown during `enter` for each title: the first page with this title that
 * follows the page of the previous title.
 */
async function pages(
  titles: readonly RegExp[],
  enter: (device: { texts(): string[]; press(button: Button): void }) => unknown,
): Promise<Uint8Array[]> {
  const emulator = await Emulator.start({ keystore: {}, device: null });
  const shown: Uint8Array[] = [];
  const press = (button: Button) => {
    emulator.press(button);
    const wanted = titles[shown.length];
    if (wanted?.test(emulator.texts()[0]!)) shown.push(emulator.png());
  };
  enter({ texts: () => emulator.texts(), press });
  emulator.stop();
  if (shown.length !== titles.length)
    throw new Error(`there is no page with the title ${titles[shown.length]} after the previous one`);
  return shown;
}

/** Returns the pages for a new seed that is made with these rolls. */
export function newSeedPages(): Promise<Uint8Array[]> {
  return pages(DEVICE, device => createSeed(device, { record: ROLLS }));
}

/** Returns the pages for entering the same words, with all pages of the first word. */
export function restorePages(): Promise<Uint8Array[]> {
  return pages(RESTORE, device => restoreSeed(device, WORDS));
}
