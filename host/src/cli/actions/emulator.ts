import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { TEST_MNEMONIC } from '../../../../chain/src/index.js';
import {
  type EmulatorServer,
  formatRecording,
  type Port,
  readyLine,
  record,
  startEmulatorServer,
} from '../../../../emulator/src/index.js';
import { SEED_VARIABLE } from '../defaults.js';
import { UsageError } from '../errors.js';
import { readInput } from '../input.js';
import type { Terminal } from '../terminal.js';
import { parsePort } from '../values.js';

const MAX_SEED_BYTES = 1024;

interface EmulatorOptions {
  seed?: string | undefined;
  model?: 'nanosp' | 'nanox' | undefined;
  host?: string | undefined;
  apiPort?: string | undefined;
  apduPort?: string | undefined;
  ledgerPort?: string | undefined;
  record?: string | undefined;
}

export async function runEmulator(options: EmulatorOptions, terminal: Terminal): Promise<undefined> {
  const seed = await readSeed(options.seed);
  const server = await startEmulatorServer({
    seed,
    model: options.model,
    host: options.host,
    apiPort: parseFace('--api-port', options.apiPort),
    apduPort: parseFace('--apdu-port', options.apduPort),
    ledgerPort: parseFace('--ledger-port', options.ledgerPort),
  });
  const recorder = options.record === undefined ? undefined : record(server.emulator);
  warnAboutSeed(seed, terminal);
  process.stdout.write(`${terminal.json ? readyLine(server) : describeFaces(server)}\n`);
  await Promise.race([terminal.interrupted(), once(server.emulator, 'stop')]);
  await server.close();
  if (options.record !== undefined && recorder !== undefined) {
    await writeRecording(options.record, formatRecording(recorder.stop()));
  }
}

async function writeRecording(path: string, text: string): Promise<void> {
  await writeFile(path, text).catch((error: Error) => {
    throw new UsageError(`cannot write ${path}: ${error.message}`);
  });
}

async function readSeed(option: string | undefined): Promise<string | undefined> {
  if (option === '-') {
    return (await readInput('the seed', MAX_SEED_BYTES)).toString('utf8').trim();
  }
  return option ?? process.env[SEED_VARIABLE];
}

function warnAboutSeed(seed: string | undefined, terminal: Terminal): void {
  terminal.warn(
    seed === undefined || seed.trim().split(/\s+/).join(' ') === TEST_MNEMONIC
      ? 'WARNING: this is the well-known test mnemonic: everybody has its keys. Never send value to it.'
      : 'An emulator protects no seed: use one that holds no value.',
  );
}

function parseFace(option: string, text: string | undefined): Port | undefined {
  return text === undefined || text === 'auto' ? text : parsePort(option, text);
}

function describeFaces({ api, apduPort, ledger }: EmulatorServer): string {
  return [
    ...(api === '' ? [] : [`REST and web panel  ${api}`]),
    ...(apduPort === 0 ? [] : [`APDUs over TCP      port ${apduPort}`]),
    ...(ledger === '' ? [] : [`Ledger transport    ${ledger}`]),
    'Ready. Ctrl-C stops it.',
  ].join('\n');
}
