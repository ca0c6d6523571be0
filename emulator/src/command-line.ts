import { invalidInputError } from '@zbc-signer/chain';
import type { KeystoreOptions } from './device/keystore/keystore.js';
import { Vault } from './device/keystore/vault.js';
import type { EmulatorServerOptions, Port } from './server/emulator-server.js';

const MAX_NOISE = 2 ** 24;
const MAX_PORT = 0xffff;
const TEXT = { type: 'string' } as const;

/**
 * Options of zbc-speculos and of `zbc-signer emulator`. The fields are those of Node's `parseArgs`, and
 * `array`, which is `multiple` in the language of yargs.
 */
export const SERVER_OPTIONS = {
  host: {
    ...TEXT,
    describe: 'address to listen on; anyone who can reach it can use the device [127.0.0.1]',
  },
  'allow-host': {
    ...TEXT,
    multiple: true,
    array: true,
    describe: 'host name by which clients reach the emulator, such as that of a compose service',
  },
  'api-port': {
    ...TEXT,
    describe: 'port of the REST API and web panel; 0 disables them, auto picks a free port [5000]',
  },
  'apdu-port': { ...TEXT, describe: 'port of APDUs over TCP; 0 disables it, auto picks a free port [9999]' },
} as const;

/** Options of both programs for the device itself. */
export const DEVICE_OPTIONS = {
  keystore: {
    type: 'boolean',
    describe: 'put a keystore in front of the signer: you make or enter the seed with the buttons',
  },
  noise: {
    ...TEXT,
    describe: "file whose bytes are the keystore's noise; the noise source fails at the end of the file",
  },
  vault: { ...TEXT, describe: 'file in which the keystore keeps a seed under a PIN; needs --noise' },
  coverage: {
    ...TEXT,
    describe: 'directory to write to at exit which screens were seen [ZBC_SIGNER_COVERAGE]',
  },
} as const;

/** The values of SERVER_OPTIONS. */
export interface ServerArguments {
  host?: string | undefined;
  allowHost?: string[] | undefined;
  apiPort?: string | undefined;
  apduPort?: string | undefined;
}

/** Reads the values of SERVER_OPTIONS for `startEmulatorServer`; throws INVALID_INPUT. */
export function readServerOptions({ host, allowHost, apiPort, apduPort }: ServerArguments) {
  const wrong = allowHost?.find(name => !/^(?=.{1,253}$)[\w-]+(\.[\w-]+)*$/.test(name));
  if (wrong !== undefined)
    throw invalidInputError('--allow-host must be a host name, such as signer or signer.test');
  return {
    host,
    allowedHosts: allowHost,
    apiPort: readPort('--api-port', apiPort) ?? 5000,
    apduPort: readPort('--apdu-port', apduPort) ?? 9999,
  } satisfies EmulatorServerOptions;
}

/** Reads the value of an option for a port; throws INVALID_INPUT. */
export function readPort(option: string, text: string | undefined): Port | undefined {
  if (text === undefined || text === 'auto') return text;
  if (/^\d{1,5}$/.test(text) && Number(text) <= MAX_PORT) return Number(text);
  throw invalidInputError(`${option} must be a whole number from 0 to ${MAX_PORT}, or auto`);
}

/** The keystore options of a command line, with paths of files. */
export interface KeystoreArguments {
  keystore?: boolean | undefined;
  noise?: string | undefined;
  vault?: string | undefined;
  seed?: string | undefined;
}

/**
 * The keystore that the options `--keystore`, `--noise FILE` and `--vault FILE` describe, if any. `read`
 * reads a file of at most `maxBytes`. If options exclude each other, throws INVALID_INPUT before it opens a
 * file.
 */
export async function readKeystore(
  { keystore, noise, vault, seed }: KeystoreArguments,
  read: (path: string, maxBytes: number) => Promise<Uint8Array>,
): Promise<KeystoreOptions | undefined> {
  if (!keystore) {
    if (noise === undefined && vault === undefined) return undefined;
    throw invalidInputError('--noise and --vault need --keystore');
  }
  if (seed !== undefined)
    throw invalidInputError('--keystore conflicts with --seed: a keystore makes its own seed');
  if (vault !== undefined && noise === undefined) throw invalidInputError('--vault needs --noise FILE');
  return {
    noise: noise === undefined ? undefined : await read(noise, MAX_NOISE),
    vault: vault === undefined ? undefined : new Vault(vault),
  };
}
