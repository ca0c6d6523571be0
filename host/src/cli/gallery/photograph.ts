import { TEST_MNEMONIC } from '../../../../chain/src/index.js';
import { Emulator, NoReviewError, type Screen } from '../../../../emulator/src/index.js';
import { DeviceError } from '../../errors.js';
import { Signer } from '../../signer.js';
import type { GalleryCase, GalleryRequest } from './cases.js';

/** What a device of its own made of a case: its screens to the approve page and a verified signature, or a refusal. */
export type Exhibit = GalleryCase & ({ screens: Screen[] } | { refusal: string });

/** Sends the case through the host library, walks its review and approves; what fails is not the device's refusal. */
export async function photographCase(galleryCase: GalleryCase, mnemonic = TEST_MNEMONIC): Promise<Exhibit> {
  const emulator = await Emulator.start({ seed: mnemonic });
  try {
    const screens: Screen[] = [];
    const [, refusal] = await Promise.all([
      walk(emulator, screens),
      refusalOf(sign(new Signer(emulator.transport()), galleryCase.request)),
    ]);
    return { ...galleryCase, ...(refusal === undefined ? { screens } : { refusal }) };
  } finally {
    emulator.stop();
  }
}

async function walk(emulator: Emulator, screens: Screen[]): Promise<void> {
  try {
    await emulator.waitForReview();
  } catch (error) {
    if (error instanceof NoReviewError) return;
    throw error;
  }
  screens.push(emulator.screen);
  const onScreen = (screen: Screen) => screens.push(screen);
  emulator.on('screen', onScreen);
  await emulator.review();
  emulator.off('screen', onScreen);
  await emulator.approve();
}

function sign(signer: Signer, request: GalleryRequest): Promise<unknown> {
  return request.kind === 'message'
    ? signer.signMessage(request.account, request.message)
    : signer.signTransaction(request);
}

async function refusalOf(signed: Promise<unknown>): Promise<string | undefined> {
  try {
    await signed;
    return undefined;
  } catch (error) {
    if (error instanceof DeviceError) return error.message;
    throw error;
  }
}
