import { defineCommand } from '../command.js';
import { DEVICE_OPTIONS, JSON_OPTION } from '../options.js';

export const version = defineCommand({
  usage: 'version',
  summary: "Print this program's version and the device's: app, types, limits, flags",
  configure: yargs => yargs.options({ device: DEVICE_OPTIONS.device, ...JSON_OPTION }),
  run: async (options, terminal) => {
    const { showVersion } = await import('../actions/version.js');
    return showVersion(options, terminal);
  },
});
