// traces SIGNER KEYSTORE: two seeds and the same presses: all that the modules give to the platform, but through
// display, text and seed, is the same, and so is the keystore's memory once the seed is gone.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { BareDevice } from '../../testkit/device/bare-device.js';
import { keystore } from '../../testkit/repository/vectors.js';
import { COMMANDS, commandNamed, SEEDS } from '../explore/alphabet.js';
import { decodeModule } from '../wasm/module.js';
import { STATIC } from './layout.js';
import { HAS_NOISE, Machine, MOST_PRESSES, type Prepared } from './machine.js';
import { type Person, Restorer, Roller } from './person.js';
import { prepare, Wrong } from './run.js';

const SIGN_TX = 6;
const HALF_HOUR = 1800;
const EVENTS = 2000;

interface Trace {
  calls: string[];
  presses: number;
  /** All memory after the seed was forgotten. */
  left: Uint8Array;
}

function trace(prepared: Prepared, noise: Uint8Array | undefined, person: Person): Trace {
  const machine = new Machine(prepared, noise);
  machine.boot(noise ? HAS_NOISE : 0);
  let presses = 0;
  while (presses < MOST_PRESSES && machine.seed === undefined) {
    const button = person.next(machine.texts);
    if (button === undefined) throw new Wrong(`a person stops at ${machine.texts.join(' / ')}`);
    machine.press(button);
    presses++;
    machine.calls.push(`press ${machine.app.in_front()} ${machine.app.locked()}`);
  }
  machine.app.idle(HALF_HOUR);
  return { calls: machine.calls, presses, left: machine.memory.slice(0, STATIC) };
}

function compare(name: string, traces: Trace[]): string {
  const [first, ...others] = traces as [Trace, ...Trace[]];
  for (const other of others) {
    if (first.presses !== other.presses)
      throw new Wrong(`${name}: ${first.presses} presses, and ${other.presses}`);
    if (first.calls.join('\n') !== other.calls.join('\n')) throw new Wrong(`${name}: calls differ`);
    if (Buffer.compare(first.left, other.left) !== 0)
      throw new Wrong(`${name}: memory differs when all is forgotten`);
  }
  return `${name}: ${traces.length} seeds, ${first.presses} presses each: the same calls, and the same memory afterwards`;
}

/** The settings that a signer stores, over the same hosts' commands and presses. */
async function traceSigner(seed: Uint8Array): Promise<string[]> {
  const device = await BareDevice.start(undefined, true);
  device.seed = seed;
  // A transaction is for one sender: whether it opens a review, and where presses go, says whose key the device has.
  const names = Object.keys(COMMANDS).filter(name => commandNamed(name)[1] !== SIGN_TX);
  const random = createHash('shake256', { outputLength: 2 * EVENTS })
    .update('events')
    .digest();
  const stored: string[] = [];
  for (let i = 0; i < EVENTS; i++) {
    const before = device.settings;
    const pick = random[2 * i]! % 8;
    if (pick < 5) device.command(commandNamed(names[random[2 * i + 1]! % names.length]!));
    else device.press(1 + (random[2 * i + 1]! % 3));
    if (device.settings !== before) stored.push(`${i} ${Buffer.from(device.settings!).toString('hex')}`);
  }
  return stored;
}

const importsOf = (path: string) =>
  decodeModule(readFileSync(path))
    .functions.map(({ name }) => name)
    .filter(name => name.startsWith('hal.'))
    .sort()
    .join(' ');

const KEYSTORE_IMPORTS =
  'hal.display hal.noise hal.text hal.vault_attempts hal.vault_begin_attempt hal.vault_clear_attempts hal.vault_erase hal.vault_read hal.vault_stretch hal.vault_write';
const SIGNER_IMPORTS =
  'hal.display hal.locked hal.quit hal.seed hal.settings_load hal.settings_store hal.text';

const [signer = '', path = ''] = process.argv.slice(2);
if (importsOf(path) !== KEYSTORE_IMPORTS) throw new Wrong(`the keystore imports ${importsOf(path)}`);
if (importsOf(signer) !== SIGNER_IMPORTS) throw new Wrong(`the signer imports ${importsOf(signer)}`);
const prepared = prepare(path);
const restored = keystore.seeds.filter(({ words, passphrase }) => words === 12 && passphrase === '');
console.log(
  compare(
    'restores',
    restored.map(({ mnemonic, fingerprint }) =>
      trace(prepared, undefined, new Restorer(mnemonic.split(' '), fingerprint)),
    ),
  ),
);
const rolled = keystore.seeds.find(({ kind, words }) => kind === 'dice' && words === 12)!.record;
const noise = createHash('shake256', { outputLength: 1 << 12 })
  .update('traces')
  .digest();
for (const given of [undefined, noise])
  console.log(
    compare(
      `new seeds ${given ? 'with' : 'without'} noise`,
      [rolled, [...rolled].reverse().join('')].map(record => trace(prepared, given, new Roller(record, 12))),
    ),
  );
const [one, other] = [await traceSigner(SEEDS.A), await traceSigner(SEEDS.B)];
if (one.join('\n') !== other.join('\n') || one.length === 0)
  throw new Wrong('the settings that a signer stores depend on its seed');
console.log(
  `the signer: two seeds, ${EVENTS} commands and presses: the same ${one.length} records of settings`,
);
