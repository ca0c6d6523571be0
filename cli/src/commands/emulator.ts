import { once } from 'node:events';
import { appendFile, writeFile } from 'node:fs/promises';
import { TEST_MNEMONIC } from '@zbc-signer/chain';
import type { EmulatorServer, Port } from '@zbc-signer/emulator';
import { UsageError } from '../errors/errors.js';
import { explainListenError } from '../errors/listen-error.js';
import { SEED_VARIABLE } from '../input/defaults.js';
import { readStdin } from '../input/stdin.js';
import { parseOrigin, parsePort } from '../input/values.js';
import type { Terminal } from '../output/terminal.js';
import { defineCommand } from '../parser/command.js';
import { JSON_READY_OPTION } from '../parser/options.js';

const MAX_SEED_BYTES = 1024;

const SEED_HELP =
  'TEST mnemonic or hex:<128 digits>, - for stdin; arguments are visible to other users' +
  ` [${SEED_VARIABLE}, else the test mnemonic]`;

// Not global: the options are this command's and not those of `emulator docker`.
const TEXT = { type: 'string', requiresArg: true, global: false } as const;

const OPTIONS = {
  seed: { alias: 's', ...TEXT, describe: SEED_HELP },
  model: {
    alias: 'm',
    choices: ['nanosp', 'nanox'],
    global: false,
    describe: 'model to report; no effect',
  },
  host: { ...TEXT, describe: 'address to listen on [127.0.0.1]' },
  'allow-origin': {
    ...TEXT,
    array: true,
    describe: 'origin of a page that may use the REST API, beside those of this machine',
  },
  'allow-host': {
    ...TEXT,
    array: true,
    describe: 'name that clients reach it by, such as that of a compose service',
  },
  'api-port': { ...TEXT, describe: 'REST API and web panel; 0 disables, auto picks a free port [5000]' },
  'apdu-port': { ...TEXT, describe: 'APDUs over TCP; 0 disables, auto picks a free port [9999]' },
  'ledger-port': { ...TEXT, describe: "Ledger's HTTP transport; 0 disables, auto picks a free port [9998]" },
  'usbip-port': {
    ...TEXT,
    describe: 'USB/IP, to plug it into Linux as a USB device; 0 disables, auto picks a free port [0]',
  },
  'usb-serial': { ...TEXT, describe: 'serial number of the USB device [random]' },
  locked: {
    type: 'boolean',
    global: false,
    describe: 'a locked device, which has no seed: it refuses everything but its versions',
  },
  record: { ...TEXT, describe: 'file to write the recorded session to, at the end' },
  ...JSON_READY_OPTION,
} as const;

export const command = defineCommand({
  configure: yargs =>
    yargs
      .options(OPTIONS)
      .example('$0 emulator --allow-origin https://gateway.example', 'for the wallet page of that gateway')
      .example('$0 emulator', 'then, in another shell: zbc-signer address --device http://127.0.0.1:5000'),

  async run(options, terminal) {
    const { formatRecording, readyLine, record, startEmulatorServer } = await import('@zbc-signer/emulator');
    if (options.locked && options.seed !== undefined) {
      throw new UsageError('--locked conflicts with --seed: a locked device has none');
    }
    const seed = options.locked ? null : await readSeed(options.seed);
    if (options.record !== undefined) await checkWritable(options.record);
    const ports = {
      apiPort: parseServerPort('--api-port', options.apiPort) ?? 5000,
      apduPort: parseServerPort('--apdu-port', options.apduPort) ?? 9999,
      ledgerPort: parseServerPort('--ledger-port', options.ledgerPort) ?? 9998,
      usbipPort: parseServerPort('--usbip-port', options.usbipPort) ?? 0,
    };
    const server = await startEmulatorServer({
      seed,
      model: options.model,
      host: options.host,
      allowedOrigins: options.allowOrigin?.map(parseOrigin),
      allowedHosts: options.allowHost?.map(parseHostName),
      ...ports,
      usb: { serialNumber: parseSerialNumber(options.usbSerial) },
    }).catch(error => {
      throw explainListenError(error, portOptions(ports));
    });
    const recorder = options.record === undefined ? undefined : record(server.emulator);
    if (seed !== null) warnAboutSeed(seed, terminal);
    process.stdout.write(`${terminal.json ? readyLine(server) : describeServers(server)}\n`);
    await Promise.race([terminal.interrupted(), once(server.emulator, 'stop')]);
    await server.close();
    if (options.record !== undefined && recorder !== undefined) {
      await writeRecording(options.record, formatRecording(recorder.stop()), terminal);
    }
    return undefined;
  },
});

/** Before the session, which would be lost; a file that exists keeps its contents until the end. */
async function checkWritable(path: string): Promise<void> {
  await appendFile(path, '').catch(error => {
    throw new UsageError(describeWriteError(path, error));
  });
}

async function writeRecording(path: string, text: string, terminal: Terminal): Promise<void> {
  await writeFile(path, text).catch(error => {
    // After Ctrl-C only the hint is printed.
    terminal.interruptionHint = describeWriteError(path, error);
    throw new UsageError(terminal.interruptionHint);
  });
}

function describeWriteError(path: string, error: Error): string {
  return `cannot write ${path}: ${error.message}`;
}

async function readSeed(option: string | undefined): Promise<string | undefined> {
  if (option === '-') return (await readStdin('the seed', MAX_SEED_BYTES)).toString('utf8').trim();
  return option ?? process.env[SEED_VARIABLE];
}

function warnAboutSeed(seed: string | undefined, terminal: Terminal): void {
  terminal.warn(
    seed === undefined || seed.trim().split(/\s+/).join(' ') === TEST_MNEMONIC
      ? 'WARNING: this is the well-known test mnemonic, whose keys are public. Never send value to it.'
      : 'WARNING: an emulator does not protect its seed. Use one that holds no value.',
  );
}

function parseServerPort(option: string, text: string | undefined): Port | undefined {
  return text === undefined || text === 'auto' ? text : parsePort(option, text);
}

function portOptions(ports: Readonly<Record<string, Port>>) {
  const options = { apiPort: '--api-port', apduPort: '--apdu-port', ledgerPort: '--ledger-port' };
  return Object.entries({ ...options, usbipPort: '--usbip-port' }).map(([name, option]) => ({
    option,
    port: Number(ports[name]),
    free: 'auto' as const,
  }));
}

/** What plugs the emulator into this machine; run as root. */
function attachCommand(port: number): string {
  return `modprobe vhci-hcd; usbip --tcp-port ${port} attach -r 127.0.0.1 -b 1-1`;
}

function parseHostName(text: string): string {
  if (/^(?=.{1,253}$)[\w-]+(\.[\w-]+)*$/.test(text)) return text;
  throw new UsageError('--allow-host must be a host name, such as signer or signer.test');
}

/** Hosts print it, and distinguish devices by it. */
function parseSerialNumber(text: string | undefined): string | undefined {
  if (text === undefined || /^[\w.-]{1,32}$/.test(text)) return text;
  throw new UsageError('--usb-serial must be 1 to 32 letters, digits, dots, dashes or underscores');
}

function describeServers({ api, apduPort, ledger, usbipPort }: EmulatorServer): string {
  return [
    ...(api === '' ? [] : [`REST and web panel  ${api}`]),
    ...(apduPort === 0 ? [] : [`APDUs over TCP      port ${apduPort}`]),
    ...(ledger === '' ? [] : [`Ledger transport    ${ledger}`]),
    ...(usbipPort === 0 ? [] : [`USB/IP              port ${usbipPort}: ${attachCommand(usbipPort)}`]),
    'Ready. Ctrl-C stops it.',
  ].join('\n');
}
