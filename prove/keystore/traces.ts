// traces SIGNER KEYSTORE: proves that, for two seeds and the same presses, everything that the modules pass
// to the platform is equal, except display, text, seed and the ciphertext of a vault's record. The memory of
// both modules after the seed is forgotten is equal too. --control MODULE…: checks modules with a planted
// fault, each of which must be found.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { compileModule } from '#emulator/device/webassembly.js';
import { BareDevice } from '../../testkit/device/bare-device.js';
import { keystore } from '../../testkit/repository/vectors.js';
import { runProofs, UnprovenClaim } from '../control.js';
import { COMMANDS, commandNamed, SEEDS } from '../explore/alphabet.js';
import { openWithGlobals } from '../wasm/exports.js';
import { decodeModule } from '../wasm/module.js';
import { HAS_NOISE, HAS_VAULT, type Image, Machine, stream } from './machine.js';
import { follow, Restorer, Roller, type SimulatedUser, UserWithPin } from './simulated-user.js';

const SIGN_TX = 6;
const HALF_HOUR = 1800;
const EVENTS = 2000;

interface Trace {
  calls: string[];
  presses: number;
  /** State after the seed was forgotten. */
  left: Image;
}

/** The version and salt of a record precede its ciphertext (docs/KEYSTORE.md#with-a-vault). */
const withoutCiphertext = (call: string) => call.replace(/^(write [0-9a-f]{34})[0-9a-f]+/, '$1');

function trace(
  prepared: WebAssembly.Module,
  noise: Uint8Array | undefined,
  user: SimulatedUser,
  hasVault: boolean,
): Trace {
  const machine = new Machine(prepared, noise);
  machine.boot((noise ? HAS_NOISE : 0) | (hasVault ? HAS_VAULT : 0));
  let presses = 0;
  follow(machine, user, (_, press) => {
    const works = press();
    presses++;
    machine.calls.push(`press ${machine.app.in_front()} ${machine.app.locked()}`);
    return works;
  });
  if (!machine.seed) throw new UnprovenClaim(`a user stops at ${machine.texts.join(' / ')}`);
  machine.app.idle(HALF_HOUR);
  return { calls: machine.calls.map(withoutCiphertext), presses, left: machine.image() };
}

function compare(name: string, traces: Trace[]): string {
  const [first, ...others] = traces as [Trace, ...Trace[]];
  for (const other of others) {
    if (first.presses !== other.presses)
      throw new UnprovenClaim(`${name}: one seed needs ${first.presses} presses, another ${other.presses}`);
    if (first.calls.join('\n') !== other.calls.join('\n'))
      throw new UnprovenClaim(`${name}: the calls of the platform differ`);
    const isSame = first.left.globals.every((value, i) => value === other.left.globals[i]);
    if (!isSame || Buffer.compare(first.left.memory, other.left.memory) !== 0)
      throw new UnprovenClaim(`${name}: the memory differs after the seed is forgotten`);
  }
  return `${name}: ${traces.length} seeds, ${first.presses} presses each: the same calls, and the same memory afterwards`;
}

/**
 * Returns the settings that a signer stores during the same commands and presses, and its memory afterwards.
 */
function traceSigner(module: WebAssembly.Module, seed: Uint8Array): { stored: string[]; left: Uint8Array } {
  const device = new BareDevice(module, undefined, true);
  device.seed = seed;
  // Transactions are excluded. Whether a transaction opens a review depends on the sender's key, and so do
  // the effects of presses.
  const names = Object.keys(COMMANDS).filter(name => commandNamed(name)[1] !== SIGN_TX);
  const random = stream('events', 2 * EVENTS);
  const stored: string[] = [];
  for (let i = 0; i < EVENTS; i++) {
    const before = device.settings;
    const pick = random[2 * i]! % 8;
    if (pick < 5) device.command(commandNamed(names[random[2 * i + 1]! % names.length]!));
    else device.press(1 + (random[2 * i + 1]! % 3));
    if (device.settings !== before) stored.push(`${i} ${Buffer.from(device.settings!).toString('hex')}`);
  }
  device.seed = undefined;
  device.app.resume();
  return { stored, left: device.memory };
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

function checkImports(path: string, expected: string): void {
  if (importsOf(path) !== expected)
    throw new UnprovenClaim(`${path} imports ${importsOf(path)}, not ${expected}`);
}

function proveSigner(path: string): string {
  checkImports(path, SIGNER_IMPORTS);
  const module = compileModule(readFileSync(path));
  const [one, other] = [traceSigner(module, SEEDS.A), traceSigner(module, SEEDS.B)];
  if (one.stored.join('\n') !== other.stored.join('\n') || one.stored.length === 0)
    throw new UnprovenClaim('the settings that a signer stores depend on its seed');
  if (Buffer.compare(one.left, other.left) !== 0)
    throw new UnprovenClaim("the signer's memory depends on a seed that it no longer has");
  return `the signer: two seeds, ${EVENTS} commands and presses: the same ${one.stored.length} records of settings, and the same memory afterwards`;
}

const PIN = '314159';
const { record } = keystore.seeds.find(({ kind, words }) => kind === 'dice' && words === 12)!;
const RECORDS = [record, [...record].reverse().join('')];
const RESTORED = keystore.seeds.filter(({ words, passphrase }) => words === 12 && passphrase === '');
const NOISE = stream('traces', 1 << 13);
const BOARDS = [
  { name: 'without noise', noise: undefined, hasVault: false },
  { name: 'with noise', noise: NOISE, hasVault: false },
  { name: 'with a vault', noise: NOISE, hasVault: true },
];

function proveKeystore(path: string): (() => string)[] {
  checkImports(path, KEYSTORE_IMPORTS);
  const prepared = openWithGlobals(path).compiled;
  const restorers = () =>
    RESTORED.map(({ mnemonic, fingerprint }) => new Restorer(mnemonic.split(' '), fingerprint));
  const rollers = () => RECORDS.map(each => new Roller(each, 12));
  return BOARDS.flatMap(({ name, noise, hasVault }) => {
    const traces = (users: SimulatedUser[]) =>
      users.map(user => trace(prepared, noise, hasVault ? new UserWithPin(user, PIN) : user, hasVault));
    return [
      () => compare(`restores ${name}`, traces(restorers())),
      () => compare(`new seeds ${name}`, traces(rollers())),
    ];
  });
}

await runProofs(path => (basename(path) === 'signer.wasm' ? [() => proveSigner(path)] : proveKeystore(path)));
