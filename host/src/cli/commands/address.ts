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
  run: async (options, terminal) => {
    const { showAddress } = await import('../actions/address.js');
    return showAddress(options, terminal);
  },
});
