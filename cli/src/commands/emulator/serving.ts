import { TEST_MNEMONIC } from '@zbc-signer/chain';
import type { EmulatorServer, EmulatorServerOptions } from '@zbc-signer/emulator';
import {
  SERVER_OPTIONS as COMMON_OPTIONS,
  readPort,
  readServerOptions,
  type ServerArguments,
} from '@zbc-signer/emulator/command-line';
import { explainListenError } from '../../errors/errors.js';
import { SEED_VARIABLE } from '../../input/config.js';
import { readStdin } from '../../input/stdin.js';
import { parseOrigin } from '../../input/values.js';
import type { Terminal } from '../../output/terminal.js';

const MAX_SEED_BYTES = 1024;

const SEED_HELP =
  'TEST mnemonic, hex:<128 digits>, or - to read it from stdin; other users can see arguments' +
  ` [${SEED_VARIABLE}, otherwise the test mnemonic]`;

export const SEED_OPTION = { seed: { alias: 's', describe: SEED_HELP } } as const;

/** Options for the addresses and origins of an emulator's server. */
export const SERVER_OPTIONS = {
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

/** The values of SERVER_OPTIONS after parsing. */
interface GivenServerOptions extends ServerArguments {
  allowOrigin: string[] | undefined;
  ledgerPort: string | undefined;
  usbipPort: string | undefined;
}

/** Starts an emulator with SERVER_OPTIONS; throws UsageError, PORT_IN_USE and INVALID_INPUT. */
export async function startServer(
  given: GivenServerOptions,
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

export function warnAboutSeed(seed: string | undefined, terminal: Terminal): void {
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

export function describeServers({ api, apduPort, ledger, usbipPort }: EmulatorServer): string {
  return [
    ...(api === '' ? [] : [`REST and web panel  ${api}`]),
    ...(apduPort === 0 ? [] : [`APDUs over TCP      port ${apduPort}`]),
    ...(ledger === '' ? [] : [`Ledger transport    ${ledger}`]),
    ...(usbipPort === 0 ? [] : [`USB/IP              port ${usbipPort}: ${attachCommand(usbipPort)}`]),
    'Ready. Ctrl-C stops it.',
  ].join('\n');
}
