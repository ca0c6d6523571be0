import { parseArgs } from 'node:util';
import type { KeystoreArguments } from '../device/keystore/command-line.js';
import { seedAsSpeculos } from '../device/seed.js';
import type { Port } from '../server/emulator-server.js';
import { describeModelFault } from './speculos-command.js';

/** A command line that zbc-speculos does not accept. */
export class SpeculosUsageError extends Error {
  override readonly name = 'SpeculosUsageError';
}

const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean' } as const;

/** Options of Speculos 0.27, and options of this emulator. */
const OPTIONS = {
  automation: TEXT,
  color: TEXT,
  debug: { ...FLAG, short: 'd' },
  'deterministic-rng': TEXT,
  'user-private-key': TEXT,
  'attestation-key': TEXT,
  apiLevel: { ...TEXT, short: 'a' },
  library: { ...TEXT, short: 'l' },
  'log-level': TEXT,
  model: { ...TEXT, short: 'm' },
  seed: { ...TEXT, short: 's' },
  trace: { ...FLAG, short: 't' },
  usb: { ...TEXT, short: 'u' },
  transport: { ...TEXT, short: 'T' },
  'pki-prod': { ...FLAG, short: 'p' },
  verbose: { ...FLAG, short: 'v' },
  sound: { ...FLAG, short: 'S' },
  'apdu-port': TEXT,
  'api-port': TEXT,
  'automation-port': TEXT,
  'vnc-port': TEXT,
  'vnc-password': TEXT,
  'button-port': TEXT,
  'finger-port': TEXT,
  display: TEXT,
  ontop: FLAG,
  xy: TEXT,
  keymap: TEXT,
  progressive: FLAG,
  zoom: TEXT,
  'load-nvram': FLAG,
  'save-nvram': FLAG,
  help: { ...FLAG, short: 'h' },
  host: TEXT,
  'allow-host': { ...TEXT, multiple: true },
  'stub-elf': TEXT,
  coverage: TEXT,
  keystore: FLAG,
  noise: TEXT,
  vault: TEXT,
  'ends-with-stdin': FLAG,
} as const;

/** Options that are not implemented. They are rejected, because a caller relies on them. */
const MISSING = ['automation-port', 'vnc-port', 'button-port', 'finger-port', 'debug'] as const;

/** A parsed command line of Speculos. */
export interface SpeculosCommandLine extends KeystoreArguments {
  help: boolean;
  /** A file into which a stub app is written. Then no emulator is started. */
  stubElf: string | undefined;
  /** The seed as `hex:` and digits, which are not checked yet. */
  seed: string | undefined;
  apiPort: Port;
  apduPort: Port;
  /** Address to listen on; the loopback address if undefined. */
  host: string | undefined;
  /** Host names that clients use. */
  allowedHosts: string[] | undefined;
  /** Whether the settings are read from and written to SETTINGS_FILE. */
  loadsSettings: boolean;
  savesSettings: boolean;
  /** Automation rules as a document, or as `file:` and its path. */
  automation: string | undefined;
  /** A directory for the coverage report at the end. */
  coverage: string | undefined;
  /** Whether the end of stdin stops the emulator like SIGTERM. Stdin also ends if the caller is killed. */
  endsWithStdin: boolean | undefined;
}

/** Parses like Python's argparse, including abbreviated options. Throws SpeculosUsageError. */
export function readCommandLine(words: readonly string[]): SpeculosCommandLine {
  const { values, positionals } = parse(words.map(lengthen));
  const isRun = values.help !== true && values['stub-elf'] === undefined;
  if (isRun && positionals.length !== 1)
    throw new SpeculosUsageError('expected exactly one app, such as app.elf');
  for (const name of MISSING) {
    if (values[name] !== undefined)
      throw new SpeculosUsageError(`--${name} is not supported; use the REST API instead`);
  }
  const fault = describeModelFault(values.model);
  if (fault !== undefined) throw new SpeculosUsageError(fault);
  return {
    help: values.help === true,
    stubElf: values['stub-elf'],
    seed: values.seed === undefined ? undefined : seedAsSpeculos(values.seed),
    apiPort: parsePort('--api-port', values['api-port'] ?? '5000'),
    apduPort: parsePort('--apdu-port', values['apdu-port'] ?? '9999'),
    host: values.host,
    allowedHosts: values['allow-host'],
    loadsSettings: values['load-nvram'] === true,
    savesSettings: values['save-nvram'] === true,
    automation: values.automation,
    coverage: values.coverage,
    keystore: values.keystore,
    noise: values.noise,
    vault: values.vault,
    endsWithStdin: values['ends-with-stdin'],
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true, strict: true });
  } catch (error) {
    throw new SpeculosUsageError((error as Error).message);
  }
}

/** The full name of an abbreviated option. */
function lengthen(word: string): string {
  const [, beginning, value = ''] = /^--([\w-]+)(=.*)?$/s.exec(word) ?? [];
  if (beginning === undefined || beginning in OPTIONS) return word;
  const names = Object.keys(OPTIONS).filter(name => name.startsWith(beginning));
  return names.length === 1 ? `--${names[0]}${value}` : word;
}

function parsePort(option: string, text: string): Port {
  if (text === 'auto') return text;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 0xffff) return port;
  throw new SpeculosUsageError(`${option} must be a port from 0 to 65535, or auto`);
}
