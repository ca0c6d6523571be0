import { toHex } from '../../../../chain/src/index.js';
import { formatText } from '../../expected-review.js';
import { withSigner } from '../device.js';
import { readInput } from '../input.js';
import { formatTable } from '../table.js';
import type { Outcome, Terminal } from '../terminal.js';
import { parseAccountIndex } from '../values.js';

/** Far more than a signer takes: it is the signer that says how much is too much. */
const MAX_INPUT_BYTES = 65_536;

interface SignMessageOptions {
  text: string;
  device?: string | undefined;
  account?: string | undefined;
}

export async function signText(options: SignMessageOptions, terminal: Terminal): Promise<Outcome> {
  const account = parseAccountIndex(options.account);
  const message = await readMessage(options.text);
  const { signal } = terminal;
  return withSigner(options.device, async signer => {
    const { address, publicKey } = await signer.getPublicKey(account, { signal });
    const items = [['Account', address] as const, ['Message', formatText(message)] as const];
    terminal.say(`The device should show:\n${formatTable(items, '  ')}`);
    await terminal.wait('Compare every page on the device, then approve or reject there');
    const signed = await signer.signMessage(account, message, { signal });
    const signature = toHex(signed.signature);
    return { json: { account, address, public_key: toHex(publicKey), signature }, text: signature };
  });
}

async function readMessage(text: string): Promise<Uint8Array> {
  return text === '-' ? readInput('the message', MAX_INPUT_BYTES) : new TextEncoder().encode(text);
}
