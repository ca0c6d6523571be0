import { defineCommand } from '../command.js';
import { JSON_OPTION } from '../options.js';

export const demo = defineCommand({
  usage: 'demo',
  summary: 'Sign and confirm one transfer on an emulated device and a development network',
  configure: yargs => yargs.options(JSON_OPTION).example('$0 demo', 'needs nothing, leaves nothing'),
  run: async (_options, terminal) => {
    const { runDemo } = await import('../actions/demo.js');
    return runDemo(terminal);
  },
});
