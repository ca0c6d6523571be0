import type { EmulatorServer } from '../../../../emulator/src/index.js';
import { defineCommand } from '../command.js';
import { UsageError } from '../errors.js';
import type { Terminal } from '../terminal.js';

const MAX_SEED_BYTES = 1024;
const SEED_VARIABLE = 'ZBC_SIGNER_EMULATOR_SEED';

export const emulator = defineCommand({
  usage: 'emulator',
  summary: 'Run an emulated device for tests, until Ctrl-C',
  configure: yargs =>
    yargs
      .options({
        seed: {
          alias: 's',
          type: 'string',
          requiresArg: true,
          describe: `TEST mnemonic or hex:<128 digits>, - for stdin; others can see arguments [${SEED_VARIABLE}, else the test mnemonic]`,
        },
        model: {
          alias: 'm',
          choices: ['nanosp', 'nanox'] as const,
          describe: 'for tools that ask; the same device',
        },
        host: { type: 'string', requiresArg: true, describe: 'address to listen on [127.0.0.1]' },
        'api-port': {
          type: 'string',
          requiresArg: true,
          describe: 'REST and web panel; 0 is off, auto any [5000]',
        },
        'apdu-port': {
          type: 'string',
          requiresArg: true,
          describe: 'APDUs over TCP; 0 is off, auto any [9999]',
        },
        'ledger-port': {
          type: 'string',
          requiresArg: true,
          describe: "Ledger's HTTP transport; 0 is off, auto any [9998]",
        },
        record: { type: 'string', requiresArg: true, describe: 'at the end, write the session to this file' },
        json: { type: 'boolean', describe: 'print one JSON line on stdout when ready' },
      })
      .example('$0 emulator', 'then, elsewhere: $0 address --device http://127.0.0.1:5000'),
  run: async (options, terminal) => {
    const { formatRecording, readyLine, record, startEmulatorServer } = await import(
      '../../../../emulator/src/index.js'
    );
    const seed = await readSeed(options.seed);
    await warnAboutSeed(seed, terminal);
    const server = await startEmulatorServer({
      seed,
      model: options.model,
      host: options.host,
      apiPort: await parseFace('--api-port', options.apiPort),
      apduPort: await parseFace('--apdu-port', options.apduPort),
      ledgerPort: await parseFace('--ledger-port', options.ledgerPort),
    });
    const recorder = options.record === undefined ? undefined : record(server.emulator);
    process.stdout.write(`${terminal.json ? readyLine(server) : describeFaces(server)}\n`);
    await terminal.interrupted();
    await server.close();
    if (options.record !== undefined && recorder) {
      await writeRecording(options.record, formatRecording(recorder.stop()));
    }
    return undefined;
  },
});

async function readSeed(option: string | undefined): Promise<string | undefined> {
  if (option === '-') {
    const { readInput } = await import('../input.js');
    return (await readInput('the seed', MAX_SEED_BYTES)).toString('utf8').trim();
  }
  return option ?? process.env[SEED_VARIABLE];
}

async function warnAboutSeed(seed: string | undefined, terminal: Terminal): Promise<void> {
  const { TEST_MNEMONIC } = await import('../../../../chain/src/index.js');
  if (seed === undefined || seed.trim().split(/\s+/).join(' ') === TEST_MNEMONIC) {
    terminal.warn(
      'WARNING: this is the well-known test mnemonic: everybody has its keys. Never send value to it.',
    );
  } else {
    terminal.warn('An emulator protects no seed: use one that holds no value.');
  }
}

async function writeRecording(path: string, text: string): Promise<void> {
  const { writeFile } = await import('node:fs/promises');
  await writeFile(path, text).catch((error: Error) => {
    throw new UsageError(`cannot write ${path}: ${error.message}`);
  });
}

async function parseFace(option: string, text: string | undefined): Promise<number | 'auto' | undefined> {
  if (text === undefined || text === 'auto') {
    return text;
  }
  const { parsePort } = await import('../values.js');
  return parsePort(option, text);
}

function describeFaces({ api, apduPort, ledger }: EmulatorServer): string {
  return [
    ...(api === '' ? [] : [`REST and web panel  ${api}`]),
    ...(apduPort === 0 ? [] : [`APDUs over TCP      port ${apduPort}`]),
    ...(ledger === '' ? [] : [`Ledger transport    ${ledger}`]),
    'Ready. Ctrl-C stops it.',
  ].join('\n');
}
