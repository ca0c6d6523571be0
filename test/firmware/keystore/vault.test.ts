// A seed kept under a PIN (docs/KEYSTORE.md#with-a-vault); the record is opened here with Node's own cryptography.
import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import { entropyToMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { FakeVault } from '../../../testkit/device/fake-vault.js';
import { KeystoreDevice } from '../../../testkit/device/keystore-device.js';
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

/** Decrypts the record with the formulas of docs/KEYSTORE.md. */
function openRecord(record: Uint8Array, pin: string): { tagIsRight: boolean; words: string } {
  const salt = record.slice(1, 17);
  const stretched = pbkdf2Sync(pin, salt, 4096, 64, 'sha512').subarray(0, 32);
  const key = createHmac('sha512', CHIP_KEY).update(stretched).digest().subarray(0, 32);
  const mac = (purpose: number, length: number) =>
    createHmac('sha512', key).update(Buffer.of(purpose)).update(record.slice(0, length)).digest();
  const stream = mac(1, 17);
  const plain = record.slice(17, 50).map((byte, i) => byte ^ stream[i]!);
  const entropy = plain.slice(1, 1 + (plain[0]! * 4) / 3);
  return {
    tagIsRight: mac(2, 50).subarray(0, 32).equals(record.slice(50)),
    words: [16, 20, 24, 28, 32].includes(entropy.length) ? entropyToMnemonic(entropy, wordlist) : '',
  };
}

test('a restored seed is stored under its PIN, and is available to the signer', () => {
  const vault = new FakeVault();
  const device = start(vault);
  restore(device, '918273');
  expect(device.seed).toBe(dice!.seed);
  expect(openRecord(vault.record!, '918273')).toEqual({ tagIsRight: true, words: dice!.mnemonic });
  expect(openRecord(vault.record!, '918274').tagIsRight).toBe(false);
  expect(noise.includes(Buffer.from(vault.record!.slice(1, 17)))).toBe(true);
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

test('each digit of a PIN takes two presses, and the places of the digits change', () => {
  const device = start(stored());
  device.press('rb');
  const places = new Set<string>();
  for (let i = 0; i < 6; i++) {
    places.add(device.texts.slice(1).join(''));
    device.press('ll');
  }
  expect(device.texts).toEqual(['PIN', '<  Again', '>  Try it']);
  expect(places.size).toBeGreaterThan(4);
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
  if (at === 0) expect(device.texts).toEqual(['ZBC Signer', 'has no seed']);
  else {
    unlock(device, '123456');
    expect(device.texts[0]).toBe('Wrong PIN');
  }
});

describe('a call of the vault that fails', () => {
  test('is reported, opens nothing, and leads back to the start', () => {
    const unlocking = 7;
    for (let call = 0; call < unlocking; call++) {
      const vault = stored();
      vault.calls.length = 0;
      vault.failing = call;
      const device = start(vault);
      if (device.texts[0] !== 'Vault') unlock(device, '123456');
      expect([call, device.texts, device.seed]).toEqual([call, ['Vault', 'has failed'], undefined]);
      vault.failing = undefined;
      expect(device.press('b')).toEqual(LOCKED);
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
  unlock(device, '123456');
  device.enterPassphrase('');
  device.press('r');
  device.app.open_menu();
  device.press('rrrrr');
  expect(device.texts).toEqual(['Change PIN', 'press both']);
  device.press('b');
  enterPin(device, '123456');
  device.press('r');
  enterPin(device, '777777');
  enterPin(device, '777777');
  expect(device.texts).toEqual(['ZBC Signer', 'is open']);
  expect(openRecord(vault.record!, '777777')).toEqual({ tagIsRight: true, words: dice!.mnemonic });
  device.press('b');
  expect(device.seed).toBe(dice!.seed);
});

test('a device whose vault is locked again has the memory of a fresh start', () => {
  const vault = stored();
  const device = start(vault);
  unlock(device, '123456');
  device.enterPassphrase('');
  device.press('r');
  device.app.open_menu();
  device.press('rrrrb');
  expect(device.texts).toEqual(LOCKED);
  expect(Buffer.compare(device.memory, start(vault).memory)).toBe(0);
});

test('"Lock" keeps the record, and "Forget seed" erases it', () => {
  const vault = stored();
  const device = start(vault);
  const open = () => {
    unlock(device, '123456');
    device.enterPassphrase('');
    device.press('r');
    device.app.open_menu();
  };
  open();
  expect(device.press('rrrr')).toEqual(['Lock', 'press both']);
  expect(device.press('b')).toEqual(LOCKED);
  open();
  expect(device.press('rrrrrr')).toEqual(['Forget seed', 'press both']);
  expect(device.press('bb')).toEqual(['ZBC Signer', 'has no seed']);
  expect(vault.record).toBeUndefined();
});
