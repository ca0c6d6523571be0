// any-input MODULE: proves the keystore's results for all sources, words and passphrases at once, with an
// arbitrary initial work space. --control MODULE…: refutes modules with a planted fault.

import { runProofs, UnprovenClaim } from '../control.js';
import { bigEndian } from '../hashes/standards.js';
import type { Word } from '../hashes/word.js';
import { range } from '../symbolic/run.js';
import { AnyRun, requireSame } from './any-bytes.js';
import { COINS, CREATE, DICE, PAGES, readKeystore } from './layout.js';
import { BOTH, LEFT, RIGHT } from './machine.js';
import { compress256, sha256 } from './sha-256.js';

/** Numbers of rolls and flips for a seed (docs/KEYSTORE.md#a-new-seed). */
const NEEDED = [
  { method: DICE, count: 12, events: 50 },
  { method: DICE, count: 24, events: 99 },
  { method: COINS, count: 12, events: 128 },
  { method: COINS, count: 24, events: 256 },
];
const MAX_RECORD = 256;
const LENGTHS = [12, 15, 18, 21, 24];
const ONE = 0x31;
const ZERO = 0x30;

/** Proves one claim about a module, and returns the claim in words. */
type Proof = (begin: () => AnyRun) => string;

/** Proves that SHA-256 compresses every block into every state as the standard says. */
const compression: Proof = begin => {
  const run = begin();
  const { words, domain, layout } = run;
  const { state, pending } = layout.sha256;
  const before = range(8).map(i => words.symbol(`s${i}`, 0xffffffffn));
  domain.putAll(state, 4, before);
  const block = run.putSymbols(pending, 64, 'm');
  run.call('sha256/hashBlock');
  const asWords = range(16).map(i => bigEndian(words, block.slice(4 * i, 4 * i + 4)));
  const found = range(8).map(i => domain.peek(state + 4 * i, 4));
  requireSame(found, compress256(words, before, asWords), 'the compression function of SHA-256');
  return 'SHA-256 compresses every block into every state as FIPS 180-4 requires';
};

/** Proves that all 1,024 raw bytes enter the device's part in order, if they pass the tests. */
const devicePart: Proof = begin => {
  const run = begin();
  const [hashed, wanted]: Word[][] = [[], []];
  // The compression function returns fixed words, because the code that writes the digits branches on bytes
  // of the hash. Only its inputs are compared.
  const fixed = (into: Word[]) => (state: readonly Word[], block: readonly Word[]) => {
    into.push(...state, ...block);
    return range(8).map(i => run.number(0x01234567 * (i + 1)));
  };
  run.stubSha256(fixed(hashed!));
  run.domain.allDiffer = true;
  run.set('step', 16);
  run.set('claimedBits', 8);
  const raw = run.putSymbols(run.layout.raw, 1024, 'raw');
  if (run.call('noise/formDevicePart') === 'trap')
    throw new UnprovenClaim('noise that passes the tests gives no device part');
  for (const _ of ['hash', 'again']) sha256(run.words, raw, fixed(wanted!));
  requireSame(hashed!, wanted!, "what the device's part is hashed from");
  return "the device's part is hashed from the 1,024 raw bytes in their order";
};

/** Proves that the entropy is the hash of only the device's part and the record, for arbitrary bytes. */
const sources: Proof = begin => {
  let seeds = 0;
  let traps = 0;
  for (const hasNoise of [0, 1])
    for (const { method, count, events } of NEEDED) {
      const run = begin();
      run.stubSha256();
      const { words, layout } = run;
      setSeed(run, { method, count, events, hasNoise, hasDevicePart: hasNoise });
      const part = run.putSymbols(layout.part, 64, 'part');
      const record = run.putSymbols(layout.record, MAX_RECORD, 'event');
      if (run.call('new-seed/formSeed') === 'trap')
        throw new UnprovenClaim('a complete record gives no seed');
      const text = [...(hasNoise ? part : []), ...record.slice(0, events)];
      const hash = sha256(words, text, run.compress);
      const length = (count * 4) / 3;
      requireSame(run.bytes(layout.entropy, length), hash.slice(0, length), 'the entropy');
      requireSame(run.bytes(layout.record, MAX_RECORD), zeros(run, MAX_RECORD), 'the record afterwards');
      requireSame(run.bytes(layout.part, 64), zeros(run, 64), "the device's part afterwards");
      seeds++;
      traps += refuseOthers(begin, method, count, events, hasNoise);
    }
  return `the entropy is the hash of device's part and record in ${seeds} kinds of seeds, for all bytes; ${traps} records with a wrong number of events, or with a missing or extra device's part, trap`;
};

/** Proves that any other number of events, and a missing or extra device's part, give no seed. */
function refuseOthers(
  begin: () => AnyRun,
  method: number,
  count: number,
  needed: number,
  hasNoise: number,
): number {
  let traps = 0;
  const run = begin();
  run.stubSha256();
  for (const hasDevicePart of [0, 1])
    for (let events = 0; events <= MAX_RECORD; events++) {
      if (events === needed && hasDevicePart === hasNoise) continue;
      setSeed(run, { method, count, events, hasNoise, hasDevicePart });
      if (run.call('new-seed/formSeed') !== 'trap')
        throw new UnprovenClaim(`${events} events with device's part ${hasDevicePart} give a seed`);
      traps++;
    }
  return traps;
}

/** Proves that each press on a page of events adds or undoes exactly one event of any record. */
const events: Proof = begin => {
  let presses = 0;
  for (const { method, count, events: needed } of NEEDED) {
    const run = begin();
    setSeed(run, { method, count, events: 0, hasNoise: 0, hasDevicePart: 0 });
    for (let kept = 0; kept < needed; kept++) {
      for (const half of method === DICE ? [0, LEFT, RIGHT, BOTH] : [0])
        for (const undone of [0, 1])
          for (const button of [LEFT, RIGHT, BOTH]) {
            pressEvent(run, { method, needed, kept, half, undone, button });
            presses++;
          }
    }
  }
  return `${presses} presses on rolls and flips, each on any record: the record has the pressed events, in order`;
};

interface EventPress {
  method: number;
  needed: number;
  kept: number;
  half: number;
  undone: number;
  button: number;
}

function pressEvent(run: AnyRun, press: EventPress): void {
  const { kept, half, undone, button } = press;
  const { record } = run.layout;
  run.set('page', PAGES.event);
  run.set('index', 0);
  run.set('events', kept);
  run.set('half', half);
  run.set('undone', undone);
  if (kept > 0) run.putSymbols(record + kept - 1, 1, 'last');
  run.domain.put(record + kept, 1, run.number(0));
  const last = kept > 0 ? run.bytes(record + kept - 1, 1) : [];
  run.domain.written.clear();
  if (run.call('device/pressOnPage', button) === 'trap')
    throw new UnprovenClaim('a press on the page of an event traps');
  const wanted = afterEvent(press);
  const found = {
    page: run.get('page'),
    events: run.get('events'),
    half: run.get('half'),
    undone: run.get('undone'),
  };
  const where = `event ${kept + 1}, half ${half}, button ${button}`;
  const { appended, ...fields } = wanted;
  if (JSON.stringify(found) !== JSON.stringify(fields))
    throw new UnprovenClaim(`${where}: ${JSON.stringify(found)}, not ${JSON.stringify(fields)}`);
  const writes = [...run.domain.written].filter(at => at >= record && at < record + MAX_RECORD);
  const at = appended === undefined ? kept - 1 : kept;
  const isTakenBack = fields.events < kept;
  if (writes.some(each => each !== record + at))
    throw new UnprovenClaim(`${where}: a byte of another event is written`);
  if (appended !== undefined || isTakenBack)
    requireSame(run.bytes(record + at, 1), [run.number(appended ?? 0)], where);
  else if (kept > 0) requireSame(run.bytes(record + at, 1), last, where);
}

/** Returns the required effect of a press (docs/KEYSTORE.md#a-new-seed). */
function afterEvent({ method, needed, kept, half, undone, button }: EventPress) {
  const keep = (appended: number) => ({
    page: kept + 1 === needed ? PAGES.recorded : PAGES.event,
    events: kept + 1,
    half: 0,
    undone: 0,
    appended,
  });
  const stay = (fields: object) => ({
    page: PAGES.event,
    events: kept,
    half,
    undone,
    appended: undefined,
    ...fields,
  });
  const takeBack = () =>
    kept === 0 ? stay({ page: PAGES.devicePart, half: 0, undone: 0 }) : stay({ events: kept - 1, half: 0 });
  if (method === COINS) return button === BOTH ? takeBack() : keep(button === LEFT ? ONE : ZERO);
  if (half === 0) return stay({ half: button });
  if (button === BOTH) return undone ? takeBack() : stay({ half: 0, undone: 1 });
  const pair = half === LEFT ? 0 : half === BOTH ? 2 : 4;
  return keep(ONE + pair + (button === RIGHT ? 1 : 0));
}

/**
 * Proves the conversion of entropy to words and back for every entropy, and that each offered last word is
 * valid after any other words.
 */
const phrases: Proof = begin => {
  let choices = 0;
  for (const count of LENGTHS) {
    const run = begin();
    run.stubSha256();
    const { words, layout, domain } = run;
    const length = (count * 4) / 3;
    run.set('count', count);
    const entropy = run.putSymbols(layout.entropy, length, 'entropy');
    const checksum = sha256(words, entropy, run.compress)[0]!;
    if (run.call('words/formWords') === 'trap') throw new UnprovenClaim('the entropy gives no words');
    const bits = bitsOf(run, [...entropy, checksum]);
    const wanted = range(count).map(i => joinBits(run, bits.slice(11 * i, 11 * i + 11)));
    const found = () => range(count).map(i => domain.peek(layout.words + 2 * i, 2));
    requireSame(found(), wanted, `${count} words of the entropy`);
    run.putSymbols(layout.entropy, 40, 'other');
    if (run.call('words/formEntropy') === 'trap') throw new UnprovenClaim('valid words are refused');
    requireSame(run.bytes(layout.entropy, length), entropy, `the entropy of ${count} words`);
    choices += proveLastWords(begin, count);
  }
  return `entropy and words convert into each other for all entropy of ${LENGTHS.length} lengths, and ${choices} last words are valid after any other words`;
};

function proveLastWords(begin: () => AnyRun, count: number): number {
  const width = count / 3;
  const offered = 2048 >> width;
  const run = begin();
  run.stubSha256();
  const { words, layout, domain } = run;
  run.set('count', count);
  for (const choice of range(offered)) {
    const before = range(count - 1).map(i => words.symbol(`word${i}`, 0x7ffn));
    domain.putAll(layout.words, 2, before);
    const entropyBits = [
      ...before.flatMap(word => wordBits(run, word, 11)),
      ...wordBits(run, run.number(choice), 11 - width),
    ];
    const bytes = range(entropyBits.length / 8).map(i => joinBits(run, entropyBits.slice(8 * i, 8 * i + 8)));
    const checksum = sha256(words, bytes, run.compress)[0]!;
    const [found] = run.result('words/lastWord', choice);
    const wanted = joinBits(run, [
      ...wordBits(run, run.number(choice), 11 - width),
      ...wordBits(run, checksum, 8).slice(0, width),
    ]);
    requireSame([found!], [wanted], `last word ${choice} of ${count}`);
  }
  return offered;
}

/**
 * Proves that the passphrase that is hashed with the words is the passphrase on the page, for arbitrary
 * characters.
 */
const passphrase: Proof = begin => {
  for (let length = 0; length <= 64; length++) {
    const run = begin();
    const { layout } = run;
    const typed = run.putSymbols(layout.passphrase, length, 'typed');
    run.domain.putAll(layout.passphrase + length, 1, Array(64 - length).fill(run.number(0)));
    run.set('count', 12);
    run.set('length', length);
    let salted: Word[] = [];
    run.domain.stubs.set(run.indexOf('pbkdf2/beginPbkdf2'), ([, , salt, saltLength]) => {
      salted = run.bytes(salt!, saltLength!);
      return [];
    });
    run.call('passphrase/beginStretch');
    const tag = [...Buffer.from('mnemonic')].map(byte => run.number(byte));
    requireSame(salted, [...tag, ...typed], `the salt of ${length} characters`);
    if (length > 0) requireSame(shownText(run), typed, `${length} characters that are shown`);
  }
  return 'the passphrase that is shown is the one that is hashed, for all passphrases of 0 to 64 characters';
};

/** Returns the characters of all lines that the passphrase's page composes. */
function shownText(run: AnyRun): Word[] {
  const shown: Word[] = [];
  run.domain.stubs.set(run.indexOf('draw/drawRow'), ([, , from, length]) => {
    shown.push(...run.bytes(from!, length!));
    return [];
  });
  run.set('page', PAGES.passphraseShown);
  run.call('device/compose', PAGES.passphraseShown);
  run.call('layout/paint', 1);
  return shown;
}

function setSeed(
  run: AnyRun,
  given: { method: number; count: number; events: number; hasNoise: number; hasDevicePart: number },
): void {
  run.set('purpose', CREATE);
  for (const [field, value] of Object.entries(given)) run.set(field as keyof typeof given, value);
}

const zeros = (run: AnyRun, count: number) => range(count).map(() => run.number(0));
const wordBits = (run: AnyRun, word: Word, width: number) =>
  range(width).map(i => run.words.and(run.words.shift(word, BigInt(i + 1 - width)), run.words.constant(1n)));
const bitsOf = (run: AnyRun, bytes: readonly Word[]) => bytes.flatMap(byte => wordBits(run, byte, 8));
const joinBits = (run: AnyRun, bits: readonly Word[]) =>
  bits.reduce((sum, bit) => run.words.xor(run.words.shift(sum, 1n), bit), run.number(0));

const PROOFS: Proof[] = [passphrase, devicePart, sources, events, compression, phrases];

await runProofs(path => {
  const { module, layout } = readKeystore(path);
  return PROOFS.map(proof => () => proof(() => new AnyRun(module, layout)));
});
