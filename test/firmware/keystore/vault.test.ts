// A seed kept under a PIN (docs/KEYSTORE.md#with-a-vault); the record is opened here with Node's own cryptography.
import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import { entropyToMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { FakeVault } from '../../../testkit/device/fake-vault.js';
import { KeystoreDevice, type KeystoreOptions } from '../../../testkit/device/keystore-device.js';
import { keystore } from '../../../testkit/repository/vectors.js';

const CHIP_KEY = 'of this chip only';
const LOCKED = ['ZBC Signer', 'is locked'];
const [dice] = keystore.seeds;
const noise = createHash('shake256', { outputLength: 1 << 16 })
  .update('vault')
  .digest();

const start = (vault: FakeVault) => new KeystoreDevice({ noise, vault });

/** Enters a PIN at the positions where its digits are shown. */
function enterPin(device: KeystoreDevice, pin: string): void {
  for (const digit of pin) for (let i = 0; i < 2; i++) device.pressDigit(digit);
}

function restore(device: KeystoreDevice, pin: string, mnemonic = dice!.mnemonic): void {
  device.press('rrb');
  device.enterWords(mnemonic);
  device.enterPassphrase('');
  device.press('r');
  enterPin(device, pin);
  enterPin(device, pin);
}

function unlock(device: KeystoreDevice, pin: string): void {
  device.press('rb');
  enterPin(device, pin);
  device.press('r');
}

function stored(pin = '123456'): FakeVault {
  const vault = new FakeVault();
  restore(start(vault), pin);
  return vault;
}

/** Opens the seed of a vault, and its menu. */
function open(device: KeystoreDevice): void {
  unlock(device, '123456');
  device.enterPassphrase('');
  device.press('r');
  device.app.open_menu();
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

const RAW = 1024;

/** Returns the bytes that are derived from 1,024 raw bytes of noise (docs/KEYSTORE.md#with-a-vault). */
const derive = (raw: Uint8Array, purpose: number, counter: number): Buffer =>
  createHmac('sha512', createHash('sha512').update(raw).digest())
    .update(Buffer.of(purpose, counter))
    .digest();

/** Returns the digits 1 to 9 as Fisher and Yates shuffle them with these bytes. */
function shuffled(bytes: Uint8Array): number[] {
  const order = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  const rest = [...bytes];
  for (let last = 8; last > 0; last--) {
    while (rest[0]! >= 256 - (256 % (last + 1))) rest.shift();
    const other = rest.shift()! % (last + 1);
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  return order;
}

/** Decrypts the record with the formulas of docs/KEYSTORE.md. */
function openRecord(record: Uint8Array, pin: string): { tagIsRight: boolean; words: string; proof: string } {
  const salt = record.slice(1, 17);
  const key = keyOf(record, pin);
  const mac = (purpose: number, length: number) =>
    createHmac('sha512', key).update(Buffer.of(purpose)).update(record.slice(0, length)).digest();
  const stream = mac(1, 17);
  const plain = record.slice(17, 50).map((byte, i) => byte ^ stream[i]!);
  const entropy = plain.slice(1, 1 + (plain[0]! * 4) / 3);
  return {
    tagIsRight: mac(2, 50).subarray(0, 32).equals(record.slice(50)),
    proof: createHmac('sha512', key).update(Buffer.of(3)).update(salt).digest('hex').slice(0, 64),
    words: [16, 20, 24, 28, 32].includes(entropy.length) ? entropyToMnemonic(entropy, wordlist) : '',
  };
}

test('a restored seed is stored under its PIN, and is available to the signer', () => {
  const vault = new FakeVault();
  const device = start(vault);
  restore(device, '918273');
  expect(device.seed).toBe(dice!.seed);
  const proof = hex(vault.proof!);
  expect(openRecord(vault.record!, '918273')).toEqual({ tagIsRight: true, words: dice!.mnemonic, proof });
  expect(openRecord(vault.record!, '918274').tagIsRight).toBe(false);
  // The salt is derived from the second 1,024 bytes, which were read for the repeated PIN.
  expect(Buffer.from(vault.record!.slice(1, 17))).toEqual(
    derive(noise.subarray(RAW, 2 * RAW), 2, 0).subarray(0, 16),
  );
  expect(vault.count).toBe(0);
});

test('if the repeated PIN differs, the PIN is asked for again and nothing is written', () => {
  const vault = new FakeVault();
  const device = start(vault);
  device.press('rrb');
  device.enterWords(dice!.mnemonic);
  device.enterPassphrase('');
  device.press('r');
  enterPin(device, '123456');
  expect(device.texts[0]).toBe('Repeat PIN 1 of 6');
  enterPin(device, '123457');
  expect(device.texts).toEqual(['PINs differ', 'press both']);
  expect(vault.record).toBeUndefined();
  expect(device.press('b')[0]).toBe('New PIN 1 of 6');
});

test('the vault is locked after a start; the PIN leads to the passphrase, which opens the vault', () => {
  const vault = stored();
  const device = start(vault);
  expect(device.texts).toEqual(LOCKED);
  unlock(device, '123456');
  expect(device.texts[0]).toBe('Passphrase');
  expect(vault.count).toBe(0);
  device.enterPassphrase('');
  expect(device.texts).toEqual(['Fingerprint', dice!.fingerprint]);
  device.press('r');
  expect(device.seed).toBe(dice!.seed);
});

test('Back at the passphrase of an unlock leads to the menu, so that the words are not shown again', () => {
  const vault = stored();
  const device = start(vault);
  unlock(device, '123456');
  expect(device.press('b')).toEqual(['Unlock', 'press both']);
});

/** Enters a PIN with the left button alone, and returns the order in which each of its digits was shown. */
function ordersOf(device: KeystoreDevice): number[][] {
  return Array.from({ length: 6 }, () => {
    const shown = device.texts.slice(1).flatMap(line => line.slice(3).split(' ').map(Number));
    device.press('ll');
    return shown;
  });
}

test('each digit of a PIN takes two presses, and its order is derived from tested noise', () => {
  const device = start(stored());
  device.press('rb');
  expect(ordersOf(device)).toEqual(
    Array.from({ length: 6 }, (_, digit) => shuffled(derive(noise.subarray(0, RAW), 1, digit))),
  );
  expect(device.texts).toEqual(['PIN', '<  Again', '>  Try it']);
});

test('bytes that would prefer some orders of the digits are skipped', () => {
  const vault = stored();
  const isSkipped = (raw: Uint8Array) => derive(raw, 1, 0)[0]! >= 252;
  const raws = Array.from({ length: 1000 }, (_, i) =>
    createHash('shake256', { outputLength: RAW }).update(`PIN ${i}`).digest(),
  );
  const raw = raws.find(isSkipped)!;
  const device = new KeystoreDevice({ noise: raw, vault });
  device.press('rb');
  const groups = device.texts.slice(1).map(line => line.slice(3).split(' ').map(Number));
  expect(groups.flat()).toEqual(shuffled(derive(raw, 1, 0)));
});

describe('the noise of a PIN', () => {
  const FAILED = ['Noise source', 'has failed'];
  const random = createHash('shake256', { outputLength: 1 << 19 })
    .update('bits')
    .digest();

  test('of one bit a byte, as claimed, gives each digit the last place equally often', () => {
    const pins = random.length / RAW;
    const device = new KeystoreDevice({ noise: random.map(byte => byte & 1), claim: 1, vault: stored() });
    device.press('rb');
    const counts = new Array<number>(9).fill(0);
    for (let pin = 0; pin < pins; pin++) {
      for (const order of ordersOf(device)) counts[order[8]! - 1]! += 1;
      if (pin + 1 < pins) device.press('l');
    }
    const mean = (6 * pins) / 9;
    const chiSquare = counts.reduce((sum, count) => sum + (count - mean) ** 2 / mean, 0);
    // The quantile of 0.999 for 8 degrees of freedom.
    expect(chiSquare).toBeLessThan(26.12);
    expect(new Set(counts).size).toBeGreaterThan(1);
  });

  const bad: [string, KeystoreOptions][] = [
    ['is stuck at a5', { noise: new Uint8Array(1 << 14).fill(0xa5) }],
    ['is stuck at ff', { noise: new Uint8Array(1 << 14).fill(0xff) }],
    ['has less entropy than claimed', { noise: random.map(byte => byte & 1), claim: 2 }],
    ['ends', { noise: random.subarray(0, RAW - 1) }],
    ['does not answer', { noise: random, answer: () => 2 }],
  ];
  test.each(bad)('is reported as failed if the source %s, before a PIN is asked for', (_, options) => {
    const locked = new KeystoreDevice({ ...options, vault: stored() });
    expect(locked.press('rb')).toEqual(FAILED);
    expect(locked.press('b')).toEqual(['Unlock', 'press both']);
    const vault = new FakeVault();
    const empty = new KeystoreDevice({ ...options, vault });
    empty.press('rrb');
    empty.enterWords(dice!.mnemonic);
    empty.enterPassphrase('');
    expect(empty.press('r')).toEqual(FAILED);
    expect(vault.record).toBeUndefined();
    expect(empty.press('b')).toEqual(['New seed', 'press both']);
  });

  test('that fails for a new PIN leaves the old one, and the seed open', () => {
    const vault = stored();
    const device = new KeystoreDevice({ noise: noise.subarray(0, 2 * RAW), vault });
    unlock(device, '123456');
    device.enterPassphrase('');
    device.press('r');
    device.app.open_menu();
    device.press('rrrrrb');
    enterPin(device, '123456');
    expect(device.press('r')).toEqual(FAILED);
    expect(device.press('b')).toEqual(['ZBC Signer', 'is open']);
    device.press('b');
    expect(device.seed).toBe(dice!.seed);
    expect(openRecord(vault.record!, '123456').tagIsRight).toBe(true);
  });
});

test('the count of tries rises before a PIN is checked, and the tries left are shown after a wrong PIN', () => {
  const vault = stored();
  const device = start(vault);
  vault.calls.length = 0;
  unlock(device, '111111');
  expect(device.texts).toEqual(['Wrong PIN', '9 tries left']);
  expect(vault.calls).toEqual(['read', 'attempts', 'begin_attempt', 'attempts', 'stretch']);
  expect(device.press('b')).toEqual(['Unlock', 'press both']);
});

test('nine wrong PINs leave one try, and the tenth wrong PIN erases the seed', () => {
  const vault = stored();
  const device = start(vault);
  for (let left = 9; left > 0; left--) {
    unlock(device, '999999');
    expect(device.texts).toEqual(['Wrong PIN', `${left} ${left === 1 ? 'try' : 'tries'} left`]);
    device.press('bl');
  }
  unlock(device, '999999');
  expect(device.texts).toEqual(['Seed erased', 'press both']);
  expect(vault.record).toBeUndefined();
  expect(device.press('b')).toEqual(['ZBC Signer', 'has no seed']);
});

describe.each<[string, (vault: FakeVault) => void]>([
  [
    'does not count',
    vault => {
      const begin = vault.beginAttempt.bind(vault);
      vault.beginAttempt = () => {
        const answer = begin();
        vault.count = 0;
        return answer;
      };
    },
  ],
  [
    'stretches nothing',
    vault => {
      const stretch = vault.stretch.bind(vault);
      vault.stretch = (from, out) => {
        const answer = stretch(from, out);
        out.fill(0);
        return answer;
      };
    },
  ],
])('a chip that %s', (fault, spoil) => {
  const FAILED = ['Vault', 'has failed'];

  test('does not open its seed, even with the right PIN', () => {
    const vault = stored();
    spoil(vault);
    const device = start(vault);
    unlock(device, '123456');
    expect(device.texts).toEqual(FAILED);
  });

  if (fault === 'stretches nothing') {
    test('stores no seed, because any PIN would open it', () => {
      const vault = new FakeVault();
      spoil(vault);
      const device = start(vault);
      restore(device, '123456');
      expect(device.texts).toEqual(FAILED);
      expect([vault.record, device.seed]).toEqual([undefined, undefined]);
    });
  }
});

test('the right PIN in the tenth try opens the vault', () => {
  const vault = stored();
  vault.count = 9;
  const device = start(vault);
  unlock(device, '123456');
  expect(device.texts[0]).toBe('Passphrase');
  expect(vault.count).toBe(0);
});

test('if the count of tries is ten at the start, the seed is erased', () => {
  const vault = stored();
  vault.count = 10;
  expect(start(vault).texts).toEqual(['ZBC Signer', 'has no seed']);
  expect(vault.record).toBeUndefined();
});

test('a try during which the power fails is counted', () => {
  const vault = stored();
  const device = start(vault);
  device.press('rb');
  enterPin(device, '123456');
  vault.calls.length = 0;
  device.app.button(2);
  while (device.app.work() === 1 && !vault.calls.includes('begin_attempt'));
  expect(vault.count).toBe(1);
});

test('the right PIN does not open a record that is moved to another chip', () => {
  const other = new FakeVault('of another chip');
  other.record = stored().record;
  const device = start(other);
  unlock(device, '123456');
  expect(device.texts).toEqual(['Wrong PIN', '9 tries left']);
});

test.each([0, 16, 17, 49, 50, 81])('a record whose byte %d is changed cannot be opened', at => {
  const vault = stored();
  vault.record![at]! ^= 1;
  const device = start(vault);
  unlock(device, '123456');
  expect(device.texts[0]).toBe('Wrong PIN');
});

/** The key that a PIN gives on this chip. */
function keyOf(record: Uint8Array, pin: string): Buffer {
  const stretched = pbkdf2Sync(pin, record.slice(1, 17), 4096, 64, 'sha512').subarray(0, 32);
  return createHmac('sha512', CHIP_KEY).update(stretched).digest().subarray(0, 32);
}

test('a record of another version cannot be opened, even if its tag is right', () => {
  const vault = stored();
  const record = vault.record!;
  record[0] = 2;
  const tag = createHmac('sha512', keyOf(record, '123456')).update(Buffer.of(2)).update(record.slice(0, 50));
  record.set(tag.digest().subarray(0, 32), 50);
  const device = start(vault);
  unlock(device, '123456');
  expect(device.texts).toEqual(['Wrong PIN', '9 tries left']);
});

test('a wrong PIN leaves no key in memory', () => {
  const vault = stored();
  const device = start(vault);
  unlock(device, '123457');
  expect(Buffer.from(device.memory).includes(keyOf(vault.record!, '123457'))).toBe(false);
});

test('a new seed is opened only with a PIN', () => {
  const device = start(new FakeVault());
  device.press(`rblrr${'lrrlrllrblbrrlrrll'.replaceAll('b', 'l').repeat(8).slice(0, 128)}`);
  device.read('Flips');
  device.answerAll(device.read('Words').map(line => line.split(' ')[1]!));
  device.enterPassphrase('');
  device.press('r');
  expect([device.texts[0], device.seed]).toEqual(['New PIN 1 of 6', undefined]);
});

describe('a call of the vault that fails', () => {
  /** Neither time nor presses may end the failure, or another seed could be stored. */
  function expectFailed(vault: FakeVault, device: KeystoreDevice): void {
    const { failing } = vault;
    vault.failing = undefined;
    for (const seconds of [1800, 1 << 30]) {
      device.app.idle(seconds);
      device.app.open_menu();
      expect([failing, device.press('lbrrb'), device.seed]).toEqual([
        failing,
        ['Vault', 'has failed'],
        undefined,
      ]);
    }
  }

  test('is reported and opens nothing, and only a restart ends it', () => {
    for (let call = 0; call < 8; call++) {
      const vault = stored();
      vault.calls.length = 0;
      vault.failing = call;
      const device = start(vault);
      if (device.texts[0] !== 'Vault') unlock(device, '123456');
      expectFailed(vault, device);
      expect(start(vault).texts).toEqual(LOCKED);
    }
  });

  test('while a seed is erased is reported until a restart', () => {
    for (const count of [0, 10]) {
      const vault = stored();
      vault.count = count;
      vault.calls.length = 0;
      vault.failing = count === 0 ? 8 : 1;
      const device = start(vault);
      if (count === 0) open(device);
      device.press('rrrrrrbb');
      expect(vault.calls.at(-1)).toBe('erase');
      expectFailed(vault, device);
    }
  });

  test('while a PIN is stored opens nothing', () => {
    for (const call of ['begin_attempt', 'stretch', 'write']) {
      const vault = new FakeVault();
      vault.failing = { begin_attempt: 2, stretch: 3, write: 4 }[call]!;
      const device = start(vault);
      restore(device, '123456');
      expect([vault.calls.at(-1), device.texts, device.seed]).toEqual([
        call,
        ['Vault', 'has failed'],
        undefined,
      ]);
    }
  });
});

test.each([
  ['write', LOCKED],
  ['clear_attempts', LOCKED],
  ['erase', ['ZBC Signer', 'has no seed']],
])('if half an hour passes while the vault is not done with "%s", the vault is read again', (call, texts) => {
  const vault = call === 'erase' ? stored() : new FakeVault();
  const device = start(vault);
  if (call === 'erase') open(device);
  vault.unfinished = call;
  if (call === 'erase') device.press('rrrrrrbb');
  else restore(device, '123456');
  expect([device.texts[0], vault.calls.at(-1)]).toEqual(['Please wait', call]);
  vault.isStuck = false;
  device.app.idle(1800);
  expect(device.press('l')).toEqual(texts);
});

test('a vault that answers "not yet" is called again', () => {
  const vault = new FakeVault();
  vault.slow = true;
  const device = start(vault);
  restore(device, '123456');
  expect(device.seed).toBe(dice!.seed);
  unlock(start(vault), '123456');
});

test('a new PIN replaces the old one, which is asked for first', () => {
  const vault = stored();
  const device = start(vault);
  open(device);
  device.press('rrrrr');
  expect(device.texts).toEqual(['Change PIN', 'press both']);
  device.press('b');
  enterPin(device, '123456');
  device.press('r');
  enterPin(device, '777777');
  enterPin(device, '777777');
  expect(device.texts).toEqual(['ZBC Signer', 'is open']);
  const proof = hex(vault.proof!);
  expect(openRecord(vault.record!, '777777')).toEqual({ tagIsRight: true, words: dice!.mnemonic, proof });
  expect(vault.count).toBe(0);
  device.press('b');
  expect(device.seed).toBe(dice!.seed);
});

test('a device whose vault is locked again has the memory of a fresh start', () => {
  const vault = stored();
  const device = start(vault);
  open(device);
  device.press('rrrrb');
  expect(device.texts).toEqual(LOCKED);
  expect(Buffer.compare(device.memory, start(vault).memory)).toBe(0);
});

test('"Lock" keeps the record, and "Forget seed" erases it', () => {
  const vault = stored();
  const device = start(vault);
  open(device);
  expect(device.press('rrrr')).toEqual(['Lock', 'press both']);
  expect(device.press('b')).toEqual(LOCKED);
  open(device);
  expect(device.press('rrrrrr')).toEqual(['Forget seed', 'press both']);
  expect(device.press('bb')).toEqual(['ZBC Signer', 'has no seed']);
  expect(vault.record).toBeUndefined();
});
