import { TEST_MNEMONIC, toHex } from '@zbc-signer/chain';
import { Emulator, NoReviewError, type Screen } from '@zbc-signer/emulator';
import { DeviceError, Signer } from '@zbc-signer/host';
import type { GalleryCase, GalleryRequest } from './cases.js';

type SigningRequest = Exclude<GalleryRequest, { kind: 'commands' }>;

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
    const { request } = galleryCase;
    const refusal =
      request.kind === 'commands'
        ? await exchangeAll(emulator, request.commands, screens)
        : await signReviewed(emulator, request, screens);
    return { ...galleryCase, ...(refusal === undefined ? { screens } : { refusal }) };
  } finally {
    emulator.stop();
  }
}

async function signReviewed(
  emulator: Emulator,
  request: SigningRequest,
  screens: Screen[],
): Promise<string | undefined> {
  const signed = refusalOf(sign(new Signer(emulator.transport()), request));
  // The host refuses some messages itself, so no review appears.
  await Promise.race([walk(emulator, screens), signed]);
  return signed;
}

/** Sends commands; each review is approved. Resolves with the last reply if there was no review. */
async function exchangeAll(
  emulator: Emulator,
  commands: readonly Uint8Array[],
  screens: Screen[],
): Promise<string | undefined> {
  let reply = '';
  for (const command of commands) {
    const sent = emulator.exchange(command);
    await Promise.race([walk(emulator, screens), sent]);
    reply = toHex(await sent);
  }
  return screens.length > 0 ? undefined : `the device replies ${reply}`;
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

function sign(signer: Signer, request: SigningRequest): Promise<unknown> {
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
