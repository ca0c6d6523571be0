import { defineCommand } from '../command.js';
import { DEVICE_OPTIONS, JSON_OPTION } from '../options.js';

export const address = defineCommand({
  usage: 'address',
  summary: "Print an account's address, and show it on the device with --show",
  configure: yargs =>
    yargs
      .options({
        show: { type: 'boolean', describe: 'show it on the device too, to compare and approve there' },
        ...DEVICE_OPTIONS,
        ...JSON_OPTION,
      })
      .example('$0 address --show', 'the safe way to receive: compare both before you pass it on'),
  run: async ({ device, account, show }, terminal) => {
    const [{ toHex }, { withSigner }, { parseAccountIndex }] = await Promise.all([
      import('../../../../chain/src/index.js'),
      import('../device.js'),
      import('../values.js'),
    ]);
    const index = parseAccountIndex(account);
    const { signal } = terminal;
    return withSigner(device, async signer => {
      const own = await signer.getPublicKey(index, { signal });
      if (show) {
        terminal.say(`The device should show:\n  Address  ${own.address}`);
        await terminal.wait('Compare every character on the device, then approve or reject there');
        await signer.getPublicKey(index, { signal, confirm: true });
      }
      return {
        json: {
          account: index,
          address: own.address,
          public_key: toHex(own.publicKey),
          confirmed: show === true,
        },
        text: own.address,
      };
    });
  },
});
