// Tests the menu of an open seed, and the remains of a forgotten one (docs/KEYSTORE.md#while-a-seed-is-open).
import { createHash } from 'node:crypto';
import { KeystoreDevice } from '../../../testkit/device/keystore-device.js';
import { keystore } from '../../../testkit/repository/vectors.js';

const HALF_HOUR = 1800;
const [dice] = keystore.seeds;
const MNEMONIC = dice!.mnemonic;

function restored(): KeystoreDevice {
  const device = new KeystoreDevice();
  device.press('rrb');
  device.enterWords(MNEMONIC);
  device.enterPassphrase('');
  device.press('r');
  return device;
}

function inMenu(): KeystoreDevice {
  const device = restored();
  device.app.open_menu();
  return device;
}

const bytesThatDiffer = (a: Uint8Array, b: Uint8Array) =>
  a.reduce((count, byte, i) => count + (byte === b[i] ? 0 : 1), 0);

test('the seed is locked while the keystore is in front, and presses do nothing while the signer is', () => {
  const device = restored();
  expect(device.seed).toBe(dice!.seed);
  device.app.open_menu();
  expect(device.texts).toEqual(['ZBC Signer', 'is open']);
  expect([device.app.in_front(), device.app.locked(), device.seed]).toEqual([1, 1, undefined]);
  device.press('b');
  expect([device.app.in_front(), device.app.locked(), device.seed]).toEqual([0, 0, dice!.seed]);
  device.press('rrrrrb');
  expect(device.seed).toBe(dice!.seed);
});

test('the menu of a device without a vault has its pages in order', () => {
  const device = inMenu();
  const pages = [device.texts];
  for (let i = 0; i < 5; i++) pages.push(device.press('r'));
  expect(pages).toEqual([
    ['ZBC Signer', 'is open'],
    ['Check backup', 'press both'],
    ['Fingerprint', dice!.fingerprint],
    ['Idle lock', 'after 30 min'],
    ['Forget seed', 'press both'],
    ['Version', '1.0.0'],
  ]);
  expect(device.press('r')).toEqual(['Version', '1.0.0']);
});

test('a board whose display and buttons are a panel at the end of a UART says that it is for tests', () => {
  expect(new KeystoreDevice({ options: 4 }).press('rrr')).toEqual(['Version', '1.0.0 test board']);
});

describe('a check of the backup', () => {
  const check = (mnemonic: string, passphrase: string) => {
    const device = inMenu();
    device.press('rb');
    device.enterWords(mnemonic);
    device.enterPassphrase(passphrase);
    return device;
  };

  test.each([
    ['is right', MNEMONIC, ''],
    ['is another', MNEMONIC, 'a'],
    ['is another', keystore.seeds[2]!.mnemonic, ''],
  ])('%s', (said, mnemonic, passphrase) => {
    const device = check(mnemonic, passphrase);
    expect(device.texts).toEqual(['Backup', said]);
    expect(device.press('b')).toEqual(['Check backup', 'press both']);
    device.press('lb');
    expect(device.seed).toBe(dice!.seed);
  });

  test('returns to its page of the menu after Back, and leaves nothing that was entered in memory', () => {
    const device = inMenu();
    device.press('r');
    const before = device.memory.slice();
    device.press('bblllllllb');
    expect(device.texts).toEqual(['Check backup', 'press both']);
    expect(bytesThatDiffer(device.memory, before)).toBe(0);
  });
});

describe('closing the keystore', () => {
  const fresh = () => new KeystoreDevice();

  test('leaves the memory of a fresh start', () => {
    const device = inMenu();
    device.press('rrrrb');
    expect(device.texts).toEqual(['Forget seed', '<  Keep it', '<> Forget it']);
    device.press('lb');
    device.press('b');
    expect(device.texts).toEqual(['ZBC Signer', 'has no seed']);
    expect(bytesThatDiffer(device.memory, fresh().memory)).toBe(0);
  });

  test('happens after half an hour behind the signer, unless the user chose "never"', () => {
    const device = restored();
    device.app.idle(HALF_HOUR - 1);
    expect(device.seed).toBe(dice!.seed);
    device.app.idle(HALF_HOUR);
    expect([device.seed, device.app.in_front()]).toEqual([undefined, 1]);
    const kept = inMenu();
    expect(kept.press('rrrb')).toEqual(['Idle lock', 'never']);
    kept.app.idle(HALF_HOUR);
    kept.press('lllb');
    expect(kept.seed).toBe(dice!.seed);
  });

  const noise = createHash('shake256', { outputLength: 4096 }).update('closing').digest();
  const rolls = 'lllrblbrrlrrllbrrl'.repeat(6).slice(0, 100);

  test.each([
    ['word count', 'rb'],
    ['randomness', 'rbl'],
    ["device's part", 'rbll'],
    ['roll', 'rbllrlr'],
    ['second page of a roll', 'rbllrlrl'],
    ['record', `rbllr${rolls}`],
    ['words', `rbllr${rolls}r`],
    ['discard', `rbllr${rolls}rl`],
    ['question', `rbllr${rolls}rrrr`],
    ['counts', 'rrb'],
    ['word', 'rrbblrb'],
    ['word found', 'rrbblllllll'],
  ])('at the page "%s" leaves no data of it in memory', (_, presses) => {
    const device = new KeystoreDevice({ noise });
    device.press(presses);
    expect(device.texts[0]).not.toBe('ZBC Signer');
    device.app.idle(HALF_HOUR);
    expect(device.texts).toEqual(['ZBC Signer', 'has no seed']);
    expect(bytesThatDiffer(device.memory, new KeystoreDevice({ noise }).memory)).toBe(0);
  });

  test.each([
    ['question', ''],
    ['character', 'r'],
    ['typed', 'rbbbbb'],
    ['fingerprint', 'l'],
  ])('at the page "%s" of the passphrase leaves no data of it in memory', (_, presses) => {
    const device = new KeystoreDevice();
    device.press('rrb');
    device.enterWords(MNEMONIC);
    device.press(presses);
    device.app.idle(HALF_HOUR);
    expect(bytesThatDiffer(device.memory, fresh().memory)).toBe(0);
  });
});

test('button presses during a computation do nothing', () => {
  const device = new KeystoreDevice();
  device.press('rrb');
  device.enterWords(MNEMONIC);
  device.app.button(1);
  device.app.work();
  expect(device.texts).toEqual(['Please wait']);
  for (const button of [1, 2, 3]) device.app.button(button);
  while (device.app.work() === 1);
  expect(device.texts).toEqual(['Fingerprint', dice!.fingerprint]);
});
