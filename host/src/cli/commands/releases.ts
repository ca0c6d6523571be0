import { defineCommand } from '../command.js';
import { GATEWAY_OPTIONS, JSON_OPTION } from '../options.js';

export const releases = defineCommand({
  usage: 'releases',
  summary: 'List the releases that the chain has published, with their hashes',
  configure: yargs =>
    yargs.options({ ...GATEWAY_OPTIONS, ...JSON_OPTION }).example('$0 releases', 'the newest first'),
  run: async (options, terminal) => {
    const { showReleases } = await import('../actions/releases.js');
    return showReleases(options, terminal);
  },
});
