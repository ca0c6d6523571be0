// The screens in docs/transfer.png: the emulator's screens for one transfer.
import {
  accountFromPublicKey,
  derivePrivateKey,
  encodeTransaction,
  publicKeyOf,
  seedFromMnemonic,
  TEST_MNEMONIC,
} from '@zbc-signer/chain';
import { Emulator } from '@zbc-signer/emulator';
import { NETWORKS, Signer } from '@zbc-signer/host';
import { screensOfReview } from './review-screens.js';

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
