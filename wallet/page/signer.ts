import { toHex, verify } from '@zbc-signer/chain';
import { type SignedMessage, TransportError } from '@zbc-signer/host';
import { SharedSigner, type WebDevice, type WebDeviceEvent } from '@zbc-signer/web';
import { discoverAccounts, hasListed, readAccounts, readHoldings, showWatched } from './accounts.js';
import { readContacts } from './contacts.js';
import { openAccount, openSigner } from './state.js';
import type { Wallet } from './wallet.js';
import { PageError } from './words.js';

/** Connects the signer that the user has chosen in an earlier visit, unless another one is connected. */
export async function reconnect(wallet: Wallet): Promise<void> {
  const device = await wallet.devices.reopen();
  if (device !== undefined && wallet.state.signer === undefined) await connect(wallet, device);
}

export async function connect(wallet: Wallet, device: WebDevice): Promise<void> {
  const { state, browser, devices } = wallet;
  await state.signer?.close();
  const signer = new SharedSigner(device, browser);
  wallet.change({ signer });
  signer.subscribe(() => {
    if (signer === state.signer) wallet.change();
  });
  devices.remember(device);
  await readDevice(wallet);
}

/** Reads version and accounts of the device. Before that, waits for the end of a review that was left open. */
export async function readDevice(wallet: Wallet): Promise<void> {
  const { state } = wallet;
  const { signer } = state;
  if (signer === undefined) return;
  try {
    await awaitLeftOpen(wallet, signer);
    wallet.change({ version: await signer.run(device => device.getVersion()) });
    const accounts = await readAccounts(wallet, signer);
    const selected = Math.min(state.selected, accounts.length - 1);
    wallet.change({ deviceError: undefined, accounts, selected, contacts: [], unprovedContacts: [] });
  } catch (deviceError) {
    wallet.change(signer === state.signer ? { deviceError } : {});
  }
  await Promise.all([readHoldings(wallet), readContacts(wallet)]);
  const isFirst = state.deviceError === undefined && !hasListed(wallet);
  if (isFirst) await discoverAccounts(wallet).catch(() => undefined);
}

export async function disconnect(wallet: Wallet): Promise<void> {
  const { signer } = wallet.state;
  wallet.devices.forget();
  wallet.change({ signer: undefined, version: undefined, deviceError: undefined, leftOpen: undefined });
  wallet.change({ contacts: [], unprovedContacts: [] });
  showWatched(wallet);
  void readHoldings(wallet);
  await signer?.close();
}

/** Notes that a device was plugged in or removed. Accounts stay visible; they are read from a new device again. */
export function notePlug(wallet: Wallet, { type, kind }: WebDeviceEvent): void {
  if (wallet.state.signer?.device.kind !== kind) return;
  if (type === 'connected') return void readDevice(wallet);
  wallet.change({ deviceError: new TransportError('DEVICE_DISCONNECTED', 'the signer was unplugged') });
}

export function forgetLeftOpen(wallet: Wallet): void {
  wallet.state.signer?.forgetUnfinishedReview();
  wallet.change({ leftOpen: undefined });
}

/** Shows the address on the device. Throws if the user rejects it, or if the device has another address. */
export async function compareAddress(wallet: Wallet, signal: AbortSignal): Promise<void> {
  const { index, publicKey } = openAccount(wallet.state);
  const review = `Address of account ${index}`;
  const ask = { confirm: true, signal };
  const shown = await openSigner(wallet.state).run(device => device.getPublicKey(index, ask), { review });
  if (toHex(shown.publicKey) !== toHex(publicKey)) throw otherAccountError();
}

export async function signMessage(
  wallet: Wallet,
  message: Uint8Array,
  signal: AbortSignal,
): Promise<SignedMessage> {
  const { index, publicKey } = openAccount(wallet.state);
  const review = 'Sign a message';
  const options = { antiExfil: 'prefer', record: wallet.signings, signal } as const;
  const signed = await openSigner(wallet.state).run(device => device.signMessage(index, message, options), {
    review,
  });
  if (!verify(signed.signature, message, publicKey)) throw otherAccountError();
  return signed;
}

/** Counts a rejection that was not the user's, and says so. */
export async function denyRejection(wallet: Wallet): Promise<string> {
  const withheld = await wallet.signings.countWithheld(openAccount(wallet.state).publicKey);
  return `Noted: the device withheld ${withheld} signatures of this account. By each, a dishonest device can choose a bit of what is published. If it happens again, move to a new seed on another device.`;
}

async function awaitLeftOpen(wallet: Wallet, signer: SharedSigner): Promise<void> {
  for (;;) {
    const isOnScreen = await signer.isReviewing();
    const title = signer.unfinishedReview?.title;
    const isOpen = isOnScreen || title !== undefined;
    wallet.change({ leftOpen: isOpen ? { title, isOnScreen } : undefined });
    if (!isOnScreen) return;
    await new Promise(resolve => setTimeout(resolve, wallet.pollMs));
    if (signer !== wallet.state.signer) return;
  }
}

/** Since the page read the accounts, another signer was connected, or the seed of the signer has changed. */
function otherAccountError(): PageError {
  return new PageError('the signer has another account than this page shows: connect it again');
}
