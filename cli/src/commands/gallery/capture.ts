import { TEST_MNEMONIC } from '@zbc-signer/chain';
import { Emulator, NoReviewError, type Screen } from '@zbc-signer/emulator';
import { DeviceError, Signer } from '@zbc-signer/host';
import type { GalleryCase, GalleryRequest } from './cases.js';

/** A case with the emulator's response: the screens of its review, which was approved, or its refusal. */
export type CapturedCase = GalleryCase & ({ screens: Screen[] } | { refusal: string });

/**
 * Signs the case on a new emulator and captures its review; any error other than the device's refusal is
 * thrown.
 */
export async function captureCase(galleryCase: GalleryCase, mnemonic = TEST_MNEMONIC): Promise<CapturedCase> {
  const emulator = await Emulator.start({ seed: mnemonic, device: null });
  try {
    const screens: Screen[] = [];
    const signed = refusalOf(sign(new Signer(emulator.transport()), galleryCase.request));
    // The host refuses some messages itself, so no review appears.
    await Promise.race([walk(emulator, screens), signed]);
    const refusal = await signed;
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
