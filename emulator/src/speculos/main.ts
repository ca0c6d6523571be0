import { createReadStream, writeFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { dirname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { invalidInputError, ZbcSignerError } from '@zbc-signer/chain';
import { SETTINGS_LENGTH } from '@zbc-signer/protocol/limits';
import { DEVICE_OPTIONS, readKeystore, SERVER_OPTIONS } from '../command-line.js';
import { writeCoverageReport } from '../coverage/report.js';
import { EmulatorError } from '../errors.js';
import { COVERAGE_VARIABLE } from '../harness/companions.js';
import type { Emulator } from '../harness/emulator.js';
import { type EmulatorServer, startEmulatorServer } from '../server/emulator-server.js';
import { readCommandLine, type SpeculosCommandLine } from './command-line.js';
import { createStubElf } from './stub-elf.js';

const FAILED = 1;
const USAGE = 2;
/** A file in the working directory, as in Speculos. */
const SETTINGS_FILE = 'main_nvram.bin';

const HELP = `usage: zbc-speculos [options of Speculos] app.elf
       zbc-speculos --stub-elf FILE

Runs the emulated signer where a test tool would run Speculos, with the same options and the same REST and
APDU ports, on the loopback address. The app is not run. Of the options of Speculos, only --seed, --model,
--api-port, --apdu-port, --automation, --load-nvram and --save-nvram have an effect. To start the emulator by
hand, use zbc-signer emulator.

${describeOptions({
  'load-nvram': { describe: `begin with the settings in ${SETTINGS_FILE}` },
  'save-nvram': { describe: `write the settings to ${SETTINGS_FILE} when they change` },
  'stub-elf FILE': { describe: 'write a substitute app for tools that read an app file, and exit' },
  'ends-with-stdin': { describe: 'end when standard input ends, for example because the caller was killed' },
  ...SERVER_OPTIONS,
  ...DEVICE_OPTIONS,
})}`;

function describeOptions(options: Readonly<Record<string, { describe: string }>>): string {
  return Object.entries(options)
    .map(([name, { describe }]) => `  --${name.padEnd(16)} ${describe}\n`)
    .join('');
}

/** Runs a command line of Speculos until the process is stopped; resolves with the exit code. */
async function main(words: readonly string[]): Promise<number> {
  try {
    return await run(readCommandLine(words));
  } catch (error) {
    if (!(error instanceof ZbcSignerError)) throw error;
    const isUsage = !(error instanceof EmulatorError);
    process.stderr.write(`zbc-speculos: error: ${error.message}\n`);
    return isUsage ? USAGE : FAILED;
  }
}

async function run(line: SpeculosCommandLine): Promise<number> {
  if (line.help) {
    process.stdout.write(HELP);
    return 0;
  }
  if (line['stub-elf'] !== undefined) {
    await writeStub(line['stub-elf']);
    return 0;
  }
  const rules = await readRules(line.automation);
  const { seed, coverage } = line;
  const keystore = await readKeystore(line, readNoise);
  const settings = line['load-nvram'] ? await loadSettings() : undefined;
  const device = { seed, keystore, settings, coverage };
  const server = await startEmulatorServer({ ...device, ...line.server, ledgerPort: 0 });
  if (line['save-nvram']) saveSettings(server.emulator);
  const directory = coverage ?? process.env[COVERAGE_VARIABLE] ?? '';
  if (directory !== '') reportAtEnd(server, directory);
  if (rules !== undefined) await loadRules(server, rules);
  if (line['ends-with-stdin']) process.stdin.once('end', () => process.kill(process.pid, 'SIGTERM')).resume();
  process.stderr.write(`zbc-speculos: REST ${server.api || 'off'}, APDUs on port ${server.apduPort}\n`);
  return 0;
}

/**
 * Writes the report at the end. If the process is killed, `zbc-signer emulator coverage` can write it later.
 */
function reportAtEnd(server: EmulatorServer, directory: string): void {
  const end = async (signal: NodeJS.Signals) => {
    await server.close();
    await writeCoverageReport(directory);
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void end(signal));
}

async function loadSettings(): Promise<Uint8Array | undefined> {
  const settings = await readFile(SETTINGS_FILE).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw invalidInputError(`cannot read the settings: ${error.message}`);
    process.stderr.write(`zbc-speculos: there is no ${SETTINGS_FILE}, so the default settings are used\n`);
    return undefined;
  });
  if (settings === undefined || settings.length === SETTINGS_LENGTH) return settings;
  throw invalidInputError(
    `${SETTINGS_FILE} has ${settings.length} bytes instead of ${SETTINGS_LENGTH}: delete the file to start with the default settings`,
  );
}

/** Saves the settings at once, because the caller may kill the process. */
function saveSettings(emulator: Emulator): void {
  let saved = emulator.settings;
  emulator.on('screen', () => {
    const { settings } = emulator;
    if (settings === undefined || (saved !== undefined && Buffer.compare(saved, settings) === 0)) return;
    try {
      writeFileSync(SETTINGS_FILE, settings);
    } catch (error) {
      // The process exits, because otherwise the next test would begin with the wrong settings.
      process.stderr.write(`zbc-speculos: error: cannot write the settings: ${(error as Error).message}\n`);
      process.exit(FAILED);
    }
    saved = settings;
  });
}

async function writeStub(path: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, createStubElf());
  } catch (error) {
    throw invalidInputError(`cannot write the app: ${(error as Error).message}`);
  }
}

async function readRules(automation: string | undefined): Promise<string | undefined> {
  if (!automation?.startsWith('file:')) return automation;
  return readFile(automation.slice('file:'.length), 'utf8').catch((error: Error) => {
    throw invalidInputError(`cannot read the rules: ${error.message}`);
  });
}

/** The length is limited, because the path may be a device without an end, such as /dev/urandom. */
async function readNoise(path: string, maxBytes: number): Promise<Uint8Array> {
  const noise = await buffer(createReadStream(path, { end: maxBytes })).catch((error: Error) => {
    throw invalidInputError(`cannot read the noise: ${error.message}`);
  });
  if (noise.length <= maxBytes) return noise;
  throw invalidInputError(`the noise in ${path} is longer than ${maxBytes} bytes`);
}

async function loadRules(server: EmulatorServer, body: string): Promise<void> {
  const response =
    server.api === '' ? undefined : await fetch(`${server.api}/automation`, { method: 'POST', body });
  if (response?.ok) return;
  await server.close();
  const { error = 'it needs the REST API, which --api-port 0 disables' } = response
    ? ((await response.json()) as { error?: string })
    : {};
  throw invalidInputError(`--automation: ${error}`);
}

process.exitCode = await main(process.argv.slice(2));
