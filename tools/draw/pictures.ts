// The pictures docs/seeds-new.png, seeds-restore.png, specimen.png and transfer.png, which draw-screens.ts writes.
import {
  accountFromPublicKey,
  derivePrivateKey,
  encodeTransaction,
  publicKeyOf,
  seedFromMnemonic,
  TEST_MNEMONIC,
} from '@zbc-signer/chain';
import { type Button, createSeed, Emulator, restoreSeed } from '@zbc-signer/emulator';
import { NETWORKS, Signer } from '@zbc-signer/host';
import { PNG } from 'pngjs';

const SCALE = 2;
const GAP = 8;
const BACKGROUND = 0x80;
const COLUMNS = 4;

/** Arranges screenshots of the same size side by side in one PNG, each enlarged to twice its size. */
export function contactSheet(screens: Uint8Array[]): Uint8Array {
  const images = screens.map(screen => PNG.sync.read(Buffer.from(screen)));
  const width = images[0]!.width * SCALE + GAP;
  const height = images[0]!.height * SCALE + GAP;
  const rows = Math.ceil(images.length / COLUMNS);
  const sheet = new PNG({ width: COLUMNS * width + GAP, height: rows * height + GAP });
  sheet.data.fill(BACKGROUND);
  images.forEach((image, i) => {
    paste(sheet, image, GAP + (i % COLUMNS) * width, GAP + Math.floor(i / COLUMNS) * height);
  });
  return PNG.sync.write(sheet, { colorType: 2 });
}

function paste(sheet: PNG, image: PNG, left: number, top: number): void {
  for (let y = 0; y < image.height * SCALE; y++) {
    for (let x = 0; x < image.width * SCALE; x++) {
      const from = (Math.floor(y / SCALE) * image.width + Math.floor(x / SCALE)) * 4;
      image.data.copy(sheet.data, ((top + y) * sheet.width + left + x) * 4, from, from + 4);
    }
  }
}

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

const LINES = [
  'ABCDEFGHIJKLM',
  'NOPQRSTUVWXYZ',
  '0123456789 _',
  'abcdefghijklm',
  'nopqrstuvwxyz',
  '!"#$%&\'()*+,-./:;<=>?',
  '@[\\]^`{|}~',
  ' edge spaces ',
  'DO DOCOUQ GO6G B8 BRP',
  'EF EL IT l1I 5S3 VY',
  'HN HM PR 0O 2Z cco eo',
  'ZBC_DOCOUQGO_G6B8BRPF',
];

/** Returns the screens of a message that contains all these characters and marks. */
export async function specimenScreens(): Promise<Uint8Array[]> {
  const emulator = await Emulator.start();
  const text = new TextEncoder().encode(LINES.join('\n'));
  const reply = new Signer(emulator.transport()).signMessage(0, text);
  const screens = await screensOfReview(emulator, reply);
  return screens.filter(({ title }) => title.startsWith('Message')).map(({ png }) => png);
}

const seed = seedFromMnemonic(TEST_MNEMONIC);
const account = (index: number) => accountFromPublicKey(publicKeyOf(derivePrivateKey(seed, index)));

/**
 * Requests a transfer of 1.5 ZBC from account 0 to account 1 of the test mnemonic, on the development
 * network.
 */
export function signTransfer(emulator: Emulator): Promise<unknown> {
  const transaction = encodeTransaction({
    type: 1,
    timestamp: 1_800_000_000n,
    sender: account(0),
    recipient: account(1),
    fee: 2_500_000n,
    amount: 150_000_000n,
    message: new TextEncoder().encode('Rent for January'),
  });
  const genesisHash = NETWORKS[0]!.genesisHash;
  return new Signer(emulator.transport()).signTransaction({ account: 0, genesisHash, transaction });
}

/** Returns the screens of the review of that transfer. */
export async function transferScreens(): Promise<Uint8Array[]> {
  const emulator = await Emulator.start();
  return (await screensOfReview(emulator, signTransfer(emulator))).map(({ png }) => png);
}
