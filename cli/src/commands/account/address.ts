import { toHex } from '@zbc-signer/chain';
import { withSigner } from '../../connection/device.js';
import { parseAccountIndex } from '../../input/values.js';
import { defineCommand } from '../../parser/command.js';
import { DEVICE_OPTIONS } from '../../parser/options.js';

export const command = defineCommand({
  options: {
    show: {
      type: 'boolean',
      describe: 'also show the address on the device, where you compare and approve it',
    },
    ...DEVICE_OPTIONS,
  },
  examples: [
    ['$0 address --show', 'the safe way to receive: compare the two addresses before you share yours'],
  ],

  async run(options, terminal) {
    const account = parseAccountIndex(options.account);
    const confirmed = options.show === true;
    const { signal } = terminal;
    return withSigner(options.device, async signer => {
      const { address, publicKey } = await signer.getPublicKey(account, { signal });
      if (confirmed) {
        terminal.report(`The device should show:\n  Address  ${address}`);
        await terminal.wait('Compare every character on the device, then approve or reject there');
        await signer.getPublicKey(account, { signal, confirm: true });
      }
      return { json: { account, address, public_key: toHex(publicKey), confirmed }, text: address };
    });
  },
});
