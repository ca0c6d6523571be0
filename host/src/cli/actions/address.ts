import { toHex } from '../../../../chain/src/index.js';
import { withSigner } from '../device.js';
import type { Outcome, Terminal } from '../terminal.js';
import { parseAccountIndex } from '../values.js';

interface AddressOptions {
  device?: string | undefined;
  account?: string | undefined;
  show?: boolean | undefined;
}

export async function showAddress(options: AddressOptions, terminal: Terminal): Promise<Outcome> {
  const account = parseAccountIndex(options.account);
  const confirmed = options.show === true;
  const { signal } = terminal;
  return withSigner(options.device, async signer => {
    const { address, publicKey } = await signer.getPublicKey(account, { signal });
    if (confirmed) {
      terminal.say(`The device should show:\n  Address  ${address}`);
      await terminal.wait('Compare every character on the device, then approve or reject there');
      await signer.getPublicKey(account, { signal, confirm: true });
    }
    return { json: { account, address, public_key: toHex(publicKey), confirmed }, text: address };
  });
}
