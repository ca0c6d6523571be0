import { once } from 'node:events';
import { TEST_MNEMONIC } from '@zbc-signer/chain';
import type { Emulator, EmulatorOptions, EmulatorServer, EmulatorServerOptions } from '@zbc-signer/emulator';
import {
  SERVER_OPTIONS as COMMON_OPTIONS,
  DEVICE_OPTIONS,
  readKeystore,
  readPort,
  readServerOptions,
} from '@zbc-signer/emulator/command-line';
import { explainListenError, UsageError } from '../errors/errors.js';
import { exitCode } from '../errors/exit-codes.js';
import { SEED_VARIABLE } from '../input/config.js';
import { readBytes, readStdin } from '../input/files.js';
import { parseOrigin } from '../input/values.js';
import type { Terminal } from '../output/terminal.js';
import { defineCommand, type Given } from '../parser/command.js';

const MAX_FIRMWARE_BYTES = 1024 * 1024;

export const FIRMWARE_OPTION = {
  firmware: {
    describe: 'WASM file to run [the shipped firmware]',
  },
} as const;

/** The bytes of --firmware; throws UsageError. */
export async function readFirmwareOption(
  path: string | undefined,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  if (path === undefined) return undefined;
  return readBytes('the firmware', path, MAX_FIRMWARE_BYTES, signal);
}

/** Turns an error from a --firmware file into a usage error, because it is not a bug of this program. */
export function explainFirmwareError(error: unknown, path: string | undefined): unknown {
  const isFirmwareError =
    Reflect.get(Object(error), 'code') === 'FIRMWARE_CRASH' ||
    /^(Compile|Link)Error$/.test(`${Reflect.get(Object(error), 'name')}`);
  return path !== undefined && isFirmwareError
    ? new UsageError(`${path} is not a firmware of the signer: ${(error as Error).message}`)
    : error;
}

const MAX_SEED_BYTES = 1024;

const SEED_HELP =
  'TEST mnemonic, hex:<128 digits>, or - to read it from stdin; other users can see arguments' +
  ` [${SEED_VARIABLE}, otherwise the test mnemonic]`;

export const SEED_OPTION = { seed: { alias: 's', describe: SEED_HELP } } as const;

/** Options for the addresses and origins of an emulator's server. */
const SERVER_OPTIONS = {
  ...COMMON_OPTIONS,
  'allow-origin': {
    array: true,
    describe: 'origin of a page or extension that may use the REST API, in addition to those of this machine',
  },
  'ledger-port': {
    describe: "port of Ledger's HTTP transport; 0 disables it, auto picks a free port [9998]",
  },
  'usbip-port': {
    describe:
      'port of USB/IP, with which you can plug the emulator into Linux; 0 disables it, auto picks a free port [0]',
  },
} as const;

/** Starts an emulator with SERVER_OPTIONS; throws UsageError, PORT_IN_USE and INVALID_INPUT. */
export async function startServer(
  given: Given<typeof SERVER_OPTIONS>,
  device: Pick<EmulatorServerOptions, 'model' | 'emulator'>,
): Promise<EmulatorServer> {
  const { startEmulatorServer } = await import('@zbc-signer/emulator');
  const options = {
    ...readServerOptions(given),
    allowedOrigins: given.allowOrigin?.map(origin => parseOrigin('--allow-origin', origin)),
    ledgerPort: readPort('--ledger-port', given.ledgerPort) ?? 9998,
    usbipPort: readPort('--usbip-port', given.usbipPort) ?? 0,
  };
  return startEmulatorServer({ ...device, ...options }).catch(error => {
    throw explainListenError(
      error,
      PORTS.map(name => ({
        option: `--${name}-port`,
        port: Number(options[`${name}Port`]),
        free: 'auto' as const,
      })),
    );
  });
}

const PORTS = ['api', 'apdu', 'ledger', 'usbip'] as const;

/** Reads the seed from --seed, stdin or the environment. */
export async function readSeed(option: string | undefined, signal: AbortSignal): Promise<string | undefined> {
  if (option === '-') return (await readStdin('the seed', MAX_SEED_BYTES, signal)).toString('utf8').trim();
  return option ?? process.env[SEED_VARIABLE];
}

function warnAboutSeed(seed: string | undefined, terminal: Terminal): void {
  terminal.warn(
    seed === undefined || seed.trim().split(/\s+/).join(' ') === TEST_MNEMONIC
      ? 'WARNING: this is the well-known test mnemonic, whose keys are public. Never send value to it.'
      : 'WARNING: an emulator does not protect its seed. Use a seed that holds no value.',
  );
}

/** The command that attaches the emulator to this machine's USB; run as root. */
function attachCommand(port: number): string {
  return `modprobe vhci-hcd; usbip --tcp-port ${port} attach -r 127.0.0.1 -b 1-1`;
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

const OPTIONS = {
  ...SEED_OPTION,
  model: {
    alias: 'm',
    choices: ['nanosp', 'nanox'],
    describe: 'accepted for compatibility; ignored',
  },
  ...SERVER_OPTIONS,
  ...FIRMWARE_OPTION,
  locked: {
    type: 'boolean',
    describe:
      'emulate a locked device, which has no seed and answers only the commands for its name and version',
  },
  ...DEVICE_OPTIONS,
  record: { describe: 'file to write the trace of the session to; only you can read it' },
} as const;

const emulatorCommand = defineCommand({
  options: OPTIONS,
  examples: [
    ['$0 emulator --allow-origin https://gateway.example', 'allow the wallet page of that gateway'],
    ['$0 emulator', 'then, in another shell: zbc-signer address --device http://127.0.0.1:5000'],
    ['$0 emulator --keystore', 'then make a seed with the buttons at http://127.0.0.1:5000'],
    ['$0 emulator --firmware old.wasm', 'run the firmware of a device that was not updated'],
    ['$0 emulator --record a.trace', 'record a trace; then: zbc-signer trace open a.trace'],
  ],

  async run(options, terminal) {
    const { formatReady, TraceFile, writeCoverageReport } = await import('@zbc-signer/emulator');
    refuseConflicts(options);
    const { coverage } = options;
    const keystore = await readKeystore(options, (path, maxBytes) =>
      readBytes('the noise', path, maxBytes, terminal.signal),
    );
    const seed = options.locked || keystore ? null : await readSeed(options.seed, terminal.signal);
    const held = keystore ? { keystore } : { seed };
    const emulator = await startFirmware(options.firmware, { ...held, coverage, device: null }, terminal);
    try {
      // The trace starts before the session. Otherwise the first steps of the session would be lost.
      const trace = options.record === undefined ? undefined : new TraceFile(emulator, options.record);
      const server = await startServer(options, { emulator, model: options.model });
      // The file is opened after the start, because a start that fails must not replace an existing trace.
      trace?.open();
      if (seed !== null) warnAboutSeed(seed, terminal);
      process.stdout.write(`${terminal.json ? formatReady(server) : describeServers(server)}\n`);
      await Promise.race([terminal.interrupted(), once(emulator, 'stop')]);
      await server.close();
      closeTrace(trace, terminal);
    } finally {
      emulator.stop();
    }
    if (options.coverage !== undefined) {
      await writeCoverageReport(options.coverage).catch((error: Error) => {
        // After Ctrl-C, only the hint is printed, so the hint has the message.
        terminal.interruptionHint = error.message;
        throw error;
      });
    }
    return undefined;
  },
});

/** Throws UsageError if the file is not a firmware. */
async function startFirmware(
  firmware: string | undefined,
  options: EmulatorOptions,
  { signal }: Terminal,
): Promise<Emulator> {
  const { Emulator } = await import('@zbc-signer/emulator');
  const wasm = await readFirmwareOption(firmware, signal);
  try {
    const module = wasm && (await WebAssembly.compile(new Uint8Array(wasm)));
    return await Emulator.start({ ...options, module });
  } catch (error) {
    throw explainFirmwareError(error, firmware);
  }
}

function closeTrace(trace: { close(): void } | undefined, terminal: Terminal): void {
  try {
    trace?.close();
  } catch (error) {
    // After Ctrl-C, only the hint is printed, so the hint has the message.
    terminal.interruptionHint = (error as Error).message;
    throw error;
  }
}

/** Options that exclude each other. */
const CONFLICTS = [
  ['locked', 'seed', ': a locked device has no seed'],
  ['keystore', 'locked', ''],
  ['keystore', 'firmware', ': only the shipped firmware has a keystore'],
  ['keystore', 'record', ': the recorded presses would reveal the words of the seed'],
] as const;

/** Throws UsageError for options that exclude each other. */
function refuseConflicts(options: { [name in (typeof CONFLICTS)[number][0 | 1]]: unknown }): void {
  const isGiven = (value: unknown) => value !== undefined && value !== false;
  for (const [one, other, reason] of CONFLICTS) {
    if (isGiven(options[one]) && isGiven(options[other]))
      throw new UsageError(`--${one} conflicts with --${other}${reason}`);
  }
}

/** Reports which screens, decisions and refusals of the device the tests of any test tool have seen. */
const coverageCommand = defineCommand({
  arguments: {
    directory: {
      demandOption: true,
      describe: 'directory of --coverage or ZBC_SIGNER_COVERAGE',
    },
  },
  options: {
    baseline: { describe: 'fail if something in this screens.json of an earlier run is no longer seen' },
  },
  examples: [
    ['ZBC_SIGNER_COVERAGE=coverage npx jest; $0 emulator coverage coverage', 'Jest, Zemu or Ragger'],
    ['$0 emulator coverage coverage --baseline test/screens.json', 'exits with code 16 if coverage was lost'],
  ],
  notes: 'The command writes screens.json and screens.md into the directory.',

  async run({ directory, baseline }, terminal) {
    const { compareWithBaseline, writeCoverageReport } = await import('@zbc-signer/emulator');
    const summary = await writeCoverageReport(directory);
    const lower = baseline === undefined ? [] : await compareWithBaseline(summary, baseline);
    if (lower.length > 0) terminal.exitCode = exitCode('nonconforming');
    const { tests, things, unseen, files } = summary;
    return {
      json: { ...summary, tests: tests.length, lower },
      text: [
        `${tests.length} tests or sessions saw ${things.reached} of ${things.all} elements of the protocol.`,
        ...unseen.map(name => `Not seen: ${name}`),
        `Written: ${files.join(', ')}`,
        ...lower.map(line => `Failed: ${line}`),
      ].join('\n'),
    };
  },
});

export const commands = { emulator: emulatorCommand, coverage: coverageCommand };
