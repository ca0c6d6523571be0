import { toHex } from '@zbc-signer/chain';
import { withSigner } from '../../connection/device.js';
import { parseAccountIndex } from '../../input/values.js';
import { defineCommand } from '../../parser/command.js';
import { DEVICE_OPTIONS } from '../../parser/options.js';

export const command = defineCommand({
  options: {
    show: { type: 'boolean', describe: 'also show it on the device, to compare and approve there' },
    ...DEVICE_OPTIONS,
  },
  examples: [['$0 address --show', 'the safe way to receive: compare both before you share it']],

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
