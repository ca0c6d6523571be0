import { encodeAccount, formatAccount, KIND_ZBC, parseAccount, toHex } from '../../../chain/src/index.js';
import { withSigner } from './device.js';
import { parseAccountIndex } from './values.js';

interface AddressOptions {
  address?: string | undefined;
  device?: string | undefined;
  account?: string | undefined;
}

/** As the account routes take it: the address given, or that of the device's account. */
export async function findAddress(
  { address, device, account }: AddressOptions,
  signal: AbortSignal,
): Promise<string> {
  if (address !== undefined) {
    const parsed = parseAccount(address);
    return parsed.kind === KIND_ZBC ? formatAccount(parsed) : toHex(encodeAccount(parsed));
  }
  const index = parseAccountIndex(account);
  return withSigner(device, async signer => (await signer.getPublicKey(index, { signal })).address);
}
