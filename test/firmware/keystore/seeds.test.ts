// Compares new and restored seeds with those of an independent implementation (vectors/README.md).
import { createHash } from 'node:crypto';
import { mnemonicToSeedSync, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { KeystoreDevice, thirds } from '../../../testkit/device/keystore-device.js';
import { SEED_GATES } from '../../../testkit/repository/specification.js';
import { keystore } from '../../../testkit/repository/vectors.js';

const PRESSED: Record<string, string> = { 1: 'l', 2: 'r', 3: 'b' };
const pressesOf = (digits: string) => [...digits].map(digit => PRESSED[digit]!).join('');

interface Start {
  kind: string;
  words: number;
  raw?: string;
}

/** Starts a new seed, up to the page of the first roll or flip. */
function beginSeed({ kind, words, raw }: Start): KeystoreDevice {
  const device = new KeystoreDevice(raw ? { noise: Buffer.from(raw, 'hex') } : {});
  device.press(`rb${words === 12 ? 'l' : 'r'}${kind === 'dice' ? 'l' : 'r'}`);
  return device;
}

const name = ({ kind, words, raw, passphrase }: (typeof keystore.seeds)[number]) =>
  `${words} words of ${kind}, ${raw ? 'with' : 'without'} noise, passphrase ${JSON.stringify(passphrase)}`;

describe.each(keystore.seeds.map(seed => [name(seed), seed] as const))('%s', (_, expected) => {
  const { kind, words: count, devicePart, record, presses, mnemonic, checkedBy, passphrase } = expected;
  const words = mnemonic.split(' ');

  test("is created with the expected device's part, record, words, questions, fingerprint and seed", () => {
    const device = beginSeed(expected);
    expect(device.read("Device's part").join('')).toBe(devicePart || 'none');
    device.press(pressesOf(presses));
    expect(device.read(kind === 'dice' ? 'Rolls' : 'Flips').join('')).toBe(record);
    expect(Buffer.from(device.memory).includes(record)).toBe(false);
    expect(device.read('Words').map(line => line.split(' ')[1])).toEqual(words);
    for (const [index, options] of checkedBy.entries()) {
      expect(device.texts).toEqual([
        `Word ${index + 1} is`,
        ...options.map((word, i) => `${['<  ', '<> ', '>  '][i]}${word}`),
      ]);
      device.press('lbr'[options.indexOf(words[index]!)]!);
    }
    device.enterPassphrase(passphrase);
    expect(device.texts).toEqual(['Fingerprint', expected.fingerprint]);
    expect(device.seed).toBeUndefined();
    device.press('r');
    expect(device.seed).toBe(expected.seed);
    expect([device.app.in_front(), device.app.locked()]).toEqual([0, 0]);
  });

  test('is restored in 98 presses for 12 words and 192 for 24', () => {
    const device = new KeystoreDevice();
    device.press('rrb');
    device.enterWords(mnemonic);
    expect(device.presses).toBe(count === 12 ? 98 : 192);
    device.enterPassphrase(passphrase);
    expect(device.texts).toEqual(['Fingerprint', expected.fingerprint]);
    device.press('r');
    expect(device.seed).toBe(expected.seed);
  });
});

// A password longer than a block of SHA-512, of 128 bytes, is hashed before it is the key of an HMAC.
test.each(keystore.phrases.map(phrase => ({ length: phrase.mnemonic.length, ...phrase })))(
  'a phrase of $length characters gives the seed of BIP-39',
  ({ mnemonic, fingerprint, seed }) => {
    const device = new KeystoreDevice();
    device.press('rrb');
    device.enterWords(mnemonic);
    device.enterPassphrase('');
    expect(device.texts).toEqual(['Fingerprint', fingerprint]);
    device.press('r');
    expect(device.seed).toBe(seed);
  },
);

/** Enters the recorded rolls or flips, from the page with the device's part. */
function enterRecord(device: KeystoreDevice, kind: string, record: string): void {
  device.press('r');
  for (const event of record) {
    if (kind === 'coins') device.press(event === '1' ? 'l' : 'r');
    else device.press(`${'lbr'[(Number(event) - 1) >> 1]}${Number(event) % 2 ? 'l' : 'r'}`);
  }
  device.read(kind === 'dice' ? 'Rolls' : 'Flips');
}

test.each(keystore.refused)(
  'refuses a record that is not random: $reason',
  ({ kind, words, record, reason }) => {
    const device = beginSeed({ kind, words });
    enterRecord(device, kind, record);
    expect(device.texts).toEqual(['Not random', reason, '<> Give up', '>  Start again']);
    expect(device.press('r').slice(0, 2)).toEqual([
      `${kind === 'dice' ? 'Roll' : 'Flip'} 1 of ${record.length}`,
      expect.stringMatching(/^< {2}/),
    ]);
  },
);

const gates = [12, 24].flatMap(words => {
  const { rolls, equalRolls, flips, equalFlips } = SEED_GATES.get(words)!;
  return [
    ['dice', words, equalRolls, rolls, '23456'],
    ['coins', words, equalFlips, flips, '0'],
  ] as const;
});

test.each(gates)('with %s for %i words, accepts one value %i times in %i, but not once more', (...gate) => {
  const [kind, words, most, events, others] = gate;
  const titleAfter = (equal: number) => {
    const device = beginSeed({ kind, words });
    enterRecord(device, kind, '1'.repeat(equal) + others.repeat(events).slice(0, events - equal));
    return device.texts[0];
  };
  expect(titleAfter(most)).toMatch(/^Words/);
  expect(titleAfter(most + 1)).toBe('Not random');
});

test.each(keystore.words)('the word "$word" is found by its seven presses', ({ word, presses }) => {
  const device = new KeystoreDevice();
  device.press(`rrbb${pressesOf(presses)}`);
  expect(device.texts).toEqual(['Word 1 of 12', word, '<  Change', '<> Back', '>  Keep']);
});

test('each of the 2,048 words is found by seven presses, and is spelled as in the list', () => {
  const device = new KeystoreDevice();
  device.press('rrbb');
  for (const [index, word] of wordlist.entries()) {
    const presses = thirds(2048, index);
    expect([presses.length, device.press(presses)[1]]).toEqual([7, word]);
    device.press('l');
  }
});

test.each(keystore.lastWords)(
  'the last words that are offered after $first are those that fit the checksum',
  ({ first, candidates }) => {
    const words = first.split(' ');
    const device = new KeystoreDevice();
    device.press(words.length === 11 ? 'rrbb' : 'rrbrb');
    for (const word of words) device.press(`${thirds(2048, wordlist.indexOf(word))}r`);
    const least = words.length === 11 ? 5 : 2;
    for (const [index, candidate] of candidates.entries()) {
      const presses = thirds(candidates.length, index, least);
      expect([presses.length, device.press(presses)[1]]).toEqual([least, candidate]);
      device.press('l');
    }
  },
);

// The numbers of presses are those of docs/KEYSTORE.md#restore.
test.each([
  [12, 17, 30],
  [24, 41, 51],
])(
  'to correct a word of %d drops no other word but a last one that no longer fits',
  (count, kept, changed) => {
    const words = keystore.seeds.find(each => each.words === count)!.mnemonic.split(' ');
    const phraseWith = (word: string) => words.with(3, word).join(' ');
    const fitting = wordlist.find(word => word !== words[3] && validateMnemonic(phraseWith(word), wordlist))!;
    const unfitting = wordlist.find(word => !validateMnemonic(phraseWith(word), wordlist))!;
    const device = new KeystoreDevice();
    device.press('rrb');
    device.enterWords(words.join(' '));

    /** Goes back from the passphrase to word 4, replaces it if another is given, and keeps each later word. */
    const correct = (other?: string): number => {
      device.press('b');
      const before = device.presses;
      device.press('b'.repeat(count - 4));
      if (other !== undefined) {
        device.press(`l${thirds(2048, wordlist.indexOf(other))}`);
        words[3] = other;
      }
      for (const [i, word] of words.entries()) {
        if (i < 3 || (i === count - 1 && other === unfitting)) continue;
        expect(device.texts.slice(0, 2)).toEqual([`Word ${i + 1} of ${count}`, word]);
        device.press('r');
      }
      if (other === unfitting) device.press(`${'l'.repeat(count === 12 ? 5 : 2)}r`);
      expect(device.texts[0]).toBe('Passphrase');
      return device.presses - before;
    };
    expect([correct(), correct(fitting), correct(unfitting)]).toEqual([kept, kept + 8, changed]);
  },
);

describe('entering rolls', () => {
  const rolling = () => {
    const device = beginSeed({ kind: 'dice', words: 12 });
    device.press('r');
    return device;
  };

  test("Undo returns to the first page of a roll, then removes rolls, then leads to the device's part", () => {
    const device = rolling();
    device.press('lrbl');
    expect(device.texts).toEqual(['Roll 3 of 50', '23', '<  1 or 2', '<> 3 or 4', '>  5 or 6']);
    device.press('rb');
    expect(device.texts.slice(0, 2)).toEqual(['Roll 3 of 50', '23']);
    device.press('rb');
    expect(device.texts.slice(0, 2)).toEqual(['Roll 2 of 50', '2']);
    device.press('rb');
    expect(device.texts.slice(0, 2)).toEqual(['Roll 1 of 50', '<  1 or 2']);
    device.press('rb');
    expect(device.texts).toEqual(["Device's part", 'none']);
  });

  test('the left button on the record removes the last roll', () => {
    const device = rolling();
    for (let i = 0; i < 50; i++) device.press(['ll', 'lr', 'bl', 'br', 'rl', 'rr', 'rr'][i % 7]!);
    expect(device.texts[0]).toBe('Rolls');
    expect(device.press('l')[0]).toBe('Roll 50 of 50');
  });

  test("the device's part does not change until a menu is reached", () => {
    const noise = createHash('shake256', { outputLength: 4096 }).update('noise').digest();
    const device = new KeystoreDevice({ noise });
    const part = device.press('rbll').join('');
    expect(device.press('lrl').join('').slice(0, 5)).not.toBe(part);
    expect(device.press('l').join('')).toBe(part);
    expect(device.press('lbb')).toEqual(['New seed', 'press both']);
    expect(device.press('bll').join('')).not.toBe(part);
  });
});

test('after a wrong answer to a question about the words, the words are shown and the question is repeated', () => {
  const [expected] = keystore.seeds;
  const words = expected!.mnemonic.split(' ');
  const device = beginSeed(expected!);
  device.press(`r${pressesOf(expected!.presses)}`);
  device.read('Rolls');
  device.read('Words');
  const options = expected!.checkedBy[0]!;
  const wrong = options.findIndex(word => word !== words[0]);
  expect(device.press('lbr'[wrong]!)).toEqual(['Wrong word', 'Word 1 is another']);
  device.press('r');
  expect(device.read('Words')).toHaveLength(12);
  expect(device.texts[0]).toBe('Word 1 is');
  device.answerAll(words);
  expect(device.texts[0]).toBe('Passphrase');
});

test('a seed can be discarded while its words are shown', () => {
  const [expected] = keystore.seeds;
  const device = beginSeed(expected!);
  device.press(`r${pressesOf(expected!.presses)}r`);
  expect(device.press('l')).toEqual(['Discard seed', '<  No', '<> Yes']);
  expect(device.press('l')[0]).toBe('Words (1/3)');
  expect(device.press('lb')).toEqual(['New seed', 'press both']);
});

describe('entering a passphrase', () => {
  const asked = () => {
    const device = new KeystoreDevice();
    device.press('rrb');
    device.enterWords(keystore.seeds[0]!.mnemonic);
    return device;
  };

  test('Back leads to the last word of a restore', () => {
    expect(asked().press('b').slice(0, 2)).toEqual(['Word 12 of 12', 'sponsor']);
  });

  const PRINTABLE = String.fromCharCode(...Array.from({ length: 95 }, (_, i) => 0x20 + i));

  test.each([PRINTABLE.slice(0, 64), PRINTABLE.slice(64), PRINTABLE.slice(0, 63), 'ab'])(
    '%j opens the seed of BIP-39, also after another one was entered',
    passphrase => {
      const { mnemonic } = keystore.seeds[0]!;
      const device = asked();
      device.enterPassphrase('another]');
      device.press('l');
      const forgotten = Buffer.from(mnemonicToSeedSync(mnemonic, 'another]'));
      expect(Buffer.from(device.memory).includes(forgotten)).toBe(false);
      device.enterPassphrase(passphrase);
      device.press('r');
      expect(device.seed).toBe(Buffer.from(mnemonicToSeedSync(mnemonic, passphrase)).toString('hex'));
    },
  );

  test('an empty passphrase is asked for again, Delete removes a character, and 64 characters are the limit', () => {
    const device = asked();
    device.press('r');
    device.type('Done');
    expect(device.texts).toEqual(['Passphrase', '<  None', '<> Back', '>  Enter one']);
    device.press('r');
    device.type('Delete');
    expect(device.texts.slice(0, 2)).toEqual(['Character 1', '<  Done to E']);
    for (const character of 'a~ ') device.type(character);
    expect(device.texts.slice(0, 2)).toEqual(['Character 4', 'a~ ']);
    device.type('Delete');
    device.type('Delete');
    for (let i = 0; i < 63; i++) device.type('x');
    expect(device.texts[0]).toBe('Character 65');
    device.type('y');
    expect(device.texts).toEqual(['Passphrase', `a${'x'.repeat(20)}`, 'x'.repeat(21), 'x'.repeat(21), 'x']);
  });
});
