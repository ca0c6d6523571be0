import { accountText, parseAccount } from '@zbc-signer/chain';
import { NonceError, openTransport, Signer } from '@zbc-signer/host/node';
import { DEFAULT_USB_IDS, type UsbIds } from '@zbc-signer/host/reports';
import { inOption, UsageError } from '../errors/errors.js';
import { deviceSetting } from '../input/config.js';
import { parseAccountIndex } from '../input/values.js';
import { keepEvidence } from './evidence.js';

/** Calls `use` with a signer on the device, and closes it afterwards. */
export async function withSigner<T>(
  device: string | undefined,
  use: (signer: Signer) => Promise<T>,
): Promise<T> {
  const { value, source } = deviceSetting(device);
  const signer = new Signer(inOption(source, () => openTransport(value)));
  try {
    return await use(signer);
  } catch (error) {
    throw error instanceof NonceError ? await keepEvidence(error) : error;
  } finally {
    await signer.close();
  }
}

interface AddressOptions {
  address?: string | undefined;
  device?: string | undefined;
  account?: string | undefined;
}

/**
 * Returns the given address, or the address of the device's account, as the routes for accounts expect it.
 */
export async function findAddress(
  { address, device, account }: AddressOptions,
  signal: AbortSignal,
  option = 'address',
): Promise<string> {
  if (address !== undefined) {
    return accountText(inOption(option, () => parseAccount(address)));
  }
  const index = parseAccountIndex(account);
  return withSigner(device, async signer => (await signer.getPublicKey(index, { signal })).address);
}

/** The option of commands about plugged-in devices. */
export const USB_ID_OPTION = {
  'usb-id': {
    describe: 'vendor and product id in hex [1209:0001, a test id]',
  },
} as const;

/** Parses `VVVV:PPPP`; defaults to the test id. Throws UsageError. */
export function parseUsbIds(text: string | undefined): UsbIds {
  if (text === undefined) return DEFAULT_USB_IDS;
  const [, vendorId, productId] = /^([0-9a-f]{4}):([0-9a-f]{4})$/i.exec(text) ?? [];
  if (vendorId === undefined || productId === undefined) {
    throw new UsageError('--usb-id must be four hex digits, a colon and four hex digits, such as 1209:0001');
  }
  return { vendorId: Number.parseInt(vendorId, 16), productId: Number.parseInt(productId, 16) };
}
