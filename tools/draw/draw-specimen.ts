// The screens in docs/specimen.png: every character and mark of the font for values, as the emulator renders
// them.
import { Emulator } from '@zbc-signer/emulator';
import { Signer } from '@zbc-signer/host';
import { screensOfReview } from './review-screens.js';

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
