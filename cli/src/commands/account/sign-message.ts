import { toHex } from '@zbc-signer/chain';
import { formatText } from '@zbc-signer/host';
import { withSigner } from '../../connection/device.js';
import { readMessage } from '../../input/stdin.js';
import { parseAccountIndex } from '../../input/values.js';
import { formatTable } from '../../output/table.js';
import { defineCommand } from '../../parser/command.js';
import { DEVICE_OPTIONS } from '../../parser/options.js';

export const command = defineCommand({
  arguments: {
    text: {
      demandOption: true,
      describe: 'the text: printable ASCII and line feeds; - reads it from stdin, byte for byte',
    },
  },
  options: { ...DEVICE_OPTIONS },
  examples: [
    ['$0 sign-message "Sign in to example.org"', 'raw Ed25519 signature of exactly these bytes'],
    ['$0 sign-message -- "--text--"', 'a text that starts with a dash'],
    ['printf %s "$text" | $0 sign-message -', 'the text from stdin'],
  ],

  async run(options, terminal) {
    const account = parseAccountIndex(options.account);
    const { signal } = terminal;
    const message = await readMessage(options.text, signal);
    return withSigner(options.device, async signer => {
      const { address, publicKey } = await signer.getPublicKey(account, { signal });
      const items = [['Account', address] as const, ['Message', formatText(message)] as const];
      terminal.report(`The device should show:\n${formatTable(items, '  ')}`);
      await terminal.wait('Compare every page on the device, then approve or reject there');
      const signed = await signer.signMessage(account, message, { signal });
      const signature = toHex(signed.signature);
      return { json: { account, address, public_key: toHex(publicKey), signature }, text: signature };
    });
  },
});
