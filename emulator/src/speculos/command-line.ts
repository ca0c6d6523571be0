import { parseArgs } from 'node:util';
import { invalidInputError } from '@zbc-signer/chain';
import { DEVICE_OPTIONS, readServerOptions, SERVER_OPTIONS } from '../command-line.js';
import { seedAsSpeculos } from '../device/seed.js';

/** A shell word, quoted or not. */
const WORD = /(?:[^\s"']|"[^"]*"|'[^']*')+/g;
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
  'stub-elf': TEXT,
  'ends-with-stdin': FLAG,
  ...SERVER_OPTIONS,
  ...DEVICE_OPTIONS,
} as const;

/** Options that are not implemented. They are rejected, because a caller relies on them. */
const MISSING = ['automation-port', 'vnc-port', 'button-port', 'finger-port', 'debug'] as const;

/** A parsed command line: the values by option, a seed as `hex:` and digits, and the server's options. */
export type SpeculosCommandLine = ReturnType<typeof readCommandLine>;

/** Parses like Python's argparse, including abbreviated options. Throws INVALID_INPUT. */
export function readCommandLine(words: readonly string[]) {
  const { values, positionals } = parse(words.map(lengthen));
  const isRun = values.help !== true && values['stub-elf'] === undefined;
  if (isRun && positionals.length !== 1) throw invalidInputError('expected exactly one app, such as app.elf');
  for (const name of MISSING) {
    if (values[name] !== undefined)
      throw invalidInputError(`--${name} is not supported; press buttons over the REST API`);
  }
  const fault = describeModelFault(values.model);
  if (fault !== undefined) throw invalidInputError(fault);
  const server = readServerOptions({
    host: values.host,
    allowHost: values['allow-host'],
    apiPort: values['api-port'],
    apduPort: values['apdu-port'],
  });
  return { ...values, seed: values.seed === undefined ? undefined : seedAsSpeculos(values.seed), server };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true, strict: true });
  } catch (error) {
    throw invalidInputError((error as Error).message);
  }
}

/** The full name of an abbreviated option. */
function lengthen(word: string): string {
  const [, beginning, value = ''] = /^--([\w-]+)(=.*)?$/s.exec(word) ?? [];
  if (beginning === undefined || beginning in OPTIONS) return word;
  const names = Object.keys(OPTIONS).filter(name => name.startsWith(beginning));
  return names.length === 1 ? `--${names[0]}${value}` : word;
}

/**
 * The seed of a command such as `… -s "word word …" -m nanosp …`, as `hex:` and digits. Like Speculos, it
 * accepts any words as a seed.
 */
export function readSeedOption(command: string): string | undefined {
  const words = (command.match(WORD) ?? []).map(word => word.replace(/["']/g, ''));
  const { seed } = parseArgs({
    args: words.map(lengthen),
    options: OPTIONS,
    allowPositionals: true,
    strict: false,
  }).values;
  return typeof seed === 'string' ? seedAsSpeculos(seed) : undefined;
}

const BUTTON_MODELS = ['nanosp', 'nanox'];

/** Describes why the emulator does not support a model; undefined if it does. */
export function describeModelFault(model: string | undefined): string | undefined {
  if (model === undefined || BUTTON_MODELS.includes(model)) return undefined;
  return `the model must be ${BUTTON_MODELS.join(' or ')}, not ${model}: the signer has two buttons and no touch screen`;
}
