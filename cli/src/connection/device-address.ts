import { encodeAccount, formatAccount, KIND_ZBC, parseAccount, toHex } from '@zbc-signer/chain';
import { inOption } from '../errors/option-error.js';
import { parseAccountIndex } from '../input/values.js';
import { withSigner } from './device.js';

interface AddressOptions {
  address?: string | undefined;
  device?: string | undefined;
  account?: string | undefined;
}

/**
 * The address given, as `option`, or else that of the device's account, in the form the account routes take.
 */
export async function findAddress(
  { address, device, account }: AddressOptions,
  signal: AbortSignal,
  option = 'address',
): Promise<string> {
  if (address !== undefined) {
    const parsed = inOption(option, () => parseAccount(address));
    return parsed.kind === KIND_ZBC ? formatAccount(parsed) : toHex(encodeAccount(parsed));
  }
  const index = parseAccountIndex(account);
  return withSigner(device, async signer => (await signer.getPublicKey(index, { signal })).address);
}
