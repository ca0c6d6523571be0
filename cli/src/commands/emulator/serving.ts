import { TEST_MNEMONIC } from '@zbc-signer/chain';
import type { EmulatorServer, EmulatorServerOptions, Port } from '@zbc-signer/emulator';
import { explainListenError, UsageError } from '../../errors/errors.js';
import { SEED_VARIABLE } from '../../input/config.js';
import { readStdin } from '../../input/stdin.js';
import { parseAllowedOrigin, parsePort } from '../../input/values.js';
import type { Terminal } from '../../output/terminal.js';

const MAX_SEED_BYTES = 1024;

const SEED_HELP =
  'TEST mnemonic, hex:<128 digits>, or - to read it from stdin; other users can see arguments' +
  ` [${SEED_VARIABLE}, otherwise the test mnemonic]`;

export const SEED_OPTION = { seed: { alias: 's', describe: SEED_HELP } } as const;

/** Options for the addresses and origins of an emulator's server. */
export const SERVER_OPTIONS = {
  host: { describe: 'address to listen on [127.0.0.1]' },
  'allow-origin': {
    array: true,
    describe: 'origin of a page or extension that may use the REST API, in addition to those of this machine',
  },
  'allow-host': {
    array: true,
    describe: 'host name by which clients reach the emulator, such as that of a compose service',
  },
  'api-port': {
    describe: 'port of the REST API and web panel; 0 disables them, auto picks a free port [5000]',
  },
  'apdu-port': { describe: 'port of APDUs over TCP; 0 disables it, auto picks a free port [9999]' },
  'ledger-port': {
    describe: "port of Ledger's HTTP transport; 0 disables it, auto picks a free port [9998]",
  },
  'usbip-port': {
    describe:
      'port of USB/IP, with which you can plug the emulator into Linux; 0 disables it, auto picks a free port [0]',
  },
} as const;

/** The values of SERVER_OPTIONS after parsing. */
interface GivenServerOptions {
  host: string | undefined;
  allowOrigin: string[] | undefined;
  allowHost: string[] | undefined;
  apiPort: string | undefined;
  apduPort: string | undefined;
  ledgerPort: string | undefined;
  usbipPort: string | undefined;
}

/** Starts an emulator with SERVER_OPTIONS; throws UsageError and PortInUseError. */
export async function startServer(
  given: GivenServerOptions,
  device: Pick<EmulatorServerOptions, 'model' | 'emulator'>,
): Promise<EmulatorServer> {
  const { startEmulatorServer } = await import('@zbc-signer/emulator');
  const ports = {
    apiPort: parseServerPort('--api-port', given.apiPort) ?? 5000,
    apduPort: parseServerPort('--apdu-port', given.apduPort) ?? 9999,
    ledgerPort: parseServerPort('--ledger-port', given.ledgerPort) ?? 9998,
    usbipPort: parseServerPort('--usbip-port', given.usbipPort) ?? 0,
  };
  return startEmulatorServer({
    ...device,
    host: given.host,
    allowedOrigins: given.allowOrigin?.map(parseAllowedOrigin),
    allowedHosts: given.allowHost?.map(parseHostName),
    ...ports,
  }).catch(error => {
    throw explainListenError(error, portOptions(ports));
  });
}

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

/** The command that attaches the emulator to this machine's USB; run as root. */
function attachCommand(port: number): string {
  return `modprobe vhci-hcd; usbip --tcp-port ${port} attach -r 127.0.0.1 -b 1-1`;
}

function parseHostName(text: string): string {
  if (/^(?=.{1,253}$)[\w-]+(\.[\w-]+)*$/.test(text)) return text;
  throw new UsageError('--allow-host must be a host name, such as signer or signer.test');
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
