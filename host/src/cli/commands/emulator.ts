import { addCommand, defineCommand } from '../command.js';
import { SEED_VARIABLE } from '../defaults.js';
import { emulatorDocker } from './emulator-docker.js';

export const emulator = defineCommand({
  usage: 'emulator',
  summary: 'Run an emulated device for tests, until Ctrl-C',
  subcommands: [(yargs, terminal) => addCommand(yargs, emulatorDocker, terminal)],
  configure: yargs =>
    yargs
      .options({
        seed: {
          alias: 's',
          type: 'string',
          requiresArg: true,
          global: false,
          describe: `TEST mnemonic or hex:<128 digits>, - for stdin; others can see arguments [${SEED_VARIABLE}, else the test mnemonic]`,
        },
        model: {
          alias: 'm',
          choices: ['nanosp', 'nanox'] as const,
          global: false,
          describe: 'for tools that ask; the same device',
        },
        host: {
          type: 'string',
          requiresArg: true,
          global: false,
          describe: 'address to listen on [127.0.0.1]',
        },
        'api-port': {
          type: 'string',
          requiresArg: true,
          global: false,
          describe: 'REST and web panel; 0 is off, auto any [5000]',
        },
        'apdu-port': {
          type: 'string',
          requiresArg: true,
          global: false,
          describe: 'APDUs over TCP; 0 is off, auto any [9999]',
        },
        'ledger-port': {
          type: 'string',
          requiresArg: true,
          global: false,
          describe: "Ledger's HTTP transport; 0 is off, auto any [9998]",
        },
        record: {
          type: 'string',
          requiresArg: true,
          global: false,
          describe: 'at the end, write the session to this file',
        },
        json: { type: 'boolean', global: false, describe: 'print one JSON line on stdout when ready' },
      })
      .example('$0 emulator', 'then, elsewhere: zbc-signer address --device http://127.0.0.1:5000'),
  run: async (options, terminal) => {
    const { runEmulator } = await import('../actions/emulator.js');
    return runEmulator(options, terminal);
  },
});
