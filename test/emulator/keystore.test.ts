// Tests an emulated device with a keystore in front of its signer (docs/KEYSTORE.md#platform).
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Button, createSeed, Emulator, restoreSeed, unlockSeed, Vault } from '@zbc-signer/emulator';
import { Signer } from '@zbc-signer/host';
import { getPublicKey, signMessage, signTransaction } from '../../testkit/device/apdu.js';
import { openTestDirectory } from '../../testkit/process/temporary-directory.js';
import { keystore as cases, transactionCases } from '../../testkit/repository/vectors.js';

const HALF_HOUR = 1800;
const EMPTY = ['ZBC Signer', 'has no seed'];
const READY = ['ZBC Signer', 'is ready'];
const [dice] = cases.seeds;
// Status words of docs/APDU.md#status-words.
const [LOCKED, NO_HEADER, UNKNOWN, CUT_SHORT] = ['5515', '6902', '6d00', '6700'];
/** Titles of pages where parts of a seed are entered or shown. */
const PAGES = [
  ...[
    'ZBC Signer',
    'New seed',
    'Words',
    'Randomness',
    "Device's part",
    'Roll N of N',
    'Rolls',
    'Words (N/N)',
  ],
  ...['Word N is', 'Passphrase', 'Character N', 'Fingerprint', 'New PIN N of N', 'Repeat PIN N of N'],
  ...['Unlock', 'PIN N of N', 'PIN', 'Wrong PIN', 'Restore seed', 'N words', 'Word N of N'],
];
const noise = createHash('shake256', { outputLength: 1 << 15 })
  .update('emulator')
  .digest();
const directory = openTestDirectory();
const running: Emulator[] = [];

afterEach(() => {
  for (const emulator of running.splice(0)) emulator.stop();
});

async function start(keystore = {}): Promise<Emulator> {
  const emulator = await Emulator.start({ keystore });
  running.push(emulator);
  return emulator;
}

const addressOf = (emulator: Emulator) =>
  new Signer(emulator.transport()).getPublicKey(0).then(
    ({ address }) => address,
    error => error.code,
  );

test('a device with a keystore starts locked, and then uses the seed that was entered', async () => {
  const emulator = await start();
  expect(emulator.texts()).toEqual(EMPTY);
  expect(await addressOf(emulator)).toBe('LOCKED');
  expect(restoreSeed(emulator, dice!.mnemonic)).toBe(dice!.fingerprint);
  expect(emulator.texts()).toEqual(READY);
  const plain = await Emulator.start({ seed: `hex:${dice!.seed}` });
  running.push(plain);
  expect(await addressOf(emulator)).toBe(await addressOf(plain));
});

test.each(cases.seeds.map(seed => [seed.fingerprint, seed] as const))(
  'createSeed makes the seed with the fingerprint %s',
  async (fingerprint, seed) => {
    const emulator = await start(seed.raw ? { noise: Buffer.from(seed.raw, 'hex') } : {});
    const { record, passphrase, mnemonic, devicePart } = seed;
    expect(createSeed(emulator, { record, passphrase })).toEqual({
      mnemonic,
      fingerprint,
      devicePart: devicePart || 'none',
    });
  },
);

/** Commands that a host may send at any time, with their answers while the keystore has the display. */
const TRAFFIC: [apdu: Uint8Array, reply: string][] = [
  [getPublicKey(0), LOCKED],
  [getPublicKey(0, true), LOCKED],
  ...signTransaction(transactionCases[0]!).map<[Uint8Array, string]>((apdu, i) => [
    apdu,
    i === 0 ? LOCKED : NO_HEADER,
  ]),
  ...signMessage(0, Buffer.from('meanwhile')).map<[Uint8Array, string]>((apdu, i) => [
    apdu,
    i === 0 ? LOCKED : NO_HEADER,
  ]),
  [Buffer.from('e099000000', 'hex'), UNKNOWN],
  [Buffer.from('e0'), CUT_SHORT],
];

/**
 * A device whose host sends all these commands before each press, over several links; records the titles of
 * its pages.
 */
function disturbed(emulator: Emulator) {
  const titles = new Set<string>();
  const answered: Promise<unknown>[] = [];
  const press = (button: Button) => {
    const { frame } = emulator.screen;
    titles.add(emulator.texts()[0]!.replaceAll(/\d+/g, 'N'));
    for (const [apdu, wanted] of TRAFFIC) {
      const reply = emulator.exchange(apdu).then(bytes => Buffer.from(bytes).toString('hex'));
      answered.push(expect(reply).resolves.toBe(wanted));
    }
    for (const link of [0, 1, 2]) emulator.report(noise.subarray(0, 64), () => undefined, link);
    emulator.disconnectReports();
    emulator.cancel();
    expect(emulator.screen.frame).toEqual(frame);
    emulator.press(button);
  };
  return { device: { texts: () => emulator.texts(), press }, titles, answered };
}

test('a host that sends commands on every page is refused, and changes neither pages nor results', async () => {
  const vault = new Vault();
  const emulator = await start({ noise, vault });
  const { device, titles, answered } = disturbed(emulator);
  const pin = '314159';
  const { mnemonic, fingerprint } = createSeed(device, { record: dice!.record, passphrase: 'Ab 9', pin });
  const undisturbed = await start({ noise, vault: new Vault() });
  expect(createSeed(undisturbed, { record: dice!.record, passphrase: 'Ab 9', pin })).toMatchObject({
    mnemonic,
    fingerprint,
  });
  expect(await addressOf(emulator)).toBe(await addressOf(undisturbed));
  emulator.restart();
  expect(() => unlockSeed(device, '314158')).toThrow(expect.objectContaining({ code: 'WRONG_PAGE' }));
  device.press('both');
  device.press('left');
  expect(unlockSeed(device, pin, 'Ab 9')).toBe(fingerprint);
  vault.erase();
  emulator.restart();
  expect(restoreSeed(device, mnemonic, { passphrase: 'Ab 9', pin })).toBe(fingerprint);
  expect([...titles]).toEqual(expect.arrayContaining(PAGES));
  await Promise.all(answered);
});

test('the user can quit to the keystore, where hosts find the device locked, and return', async () => {
  const emulator = await start();
  restoreSeed(emulator, dice!.mnemonic);
  const address = await addressOf(emulator);
  while (emulator.texts()[0] !== 'Quit') emulator.press('right');
  emulator.press('both');
  expect(emulator.texts()).toEqual(['ZBC Signer', 'is open']);
  expect(await addressOf(emulator)).toBe('LOCKED');
  emulator.press('both');
  expect(emulator.texts()).toEqual(READY);
  expect(await addressOf(emulator)).toBe(address);
});

test('if the seed is forgotten during a review, the approval is refused and the keystore is shown', async () => {
  const emulator = await start();
  restoreSeed(emulator, dice!.mnemonic);
  const confirmed = new Signer(emulator.transport()).getPublicKey(0, { confirm: true });
  await emulator.waitForReview();
  emulator.idle(HALF_HOUR);
  expect(emulator.texts()[0]).toBe('Address');
  await emulator.approve();
  await expect(confirmed).rejects.toMatchObject({ code: 'LOCKED' });
  expect(emulator.texts()).toEqual(EMPTY);
});

test('an upload is dropped when the user switches to the keystore and back', async () => {
  const emulator = await start();
  restoreSeed(emulator, dice!.mnemonic);
  const send = (hex: string) =>
    emulator.exchange(Buffer.from(hex, 'hex')).then(reply => Buffer.from(reply).toString('hex'));
  expect(await send('e00700000800000000e8030000')).toBe('9000');
  while (emulator.texts()[0] !== 'Quit') emulator.press('right');
  emulator.press('both');
  emulator.press('both');
  expect(await send('e007010001aa')).not.toBe('9000');
});

test('without a vault, a power cut makes the device forget the seed', async () => {
  const emulator = await start();
  restoreSeed(emulator, dice!.mnemonic);
  emulator.restart();
  expect(emulator.texts()).toEqual(EMPTY);
  expect(await addressOf(emulator)).toBe('LOCKED');
});

test('a vault in a file outlives the process, and is readable only by its owner', async () => {
  const path = join(directory, 'vault.json');
  const first = await start({ noise, vault: new Vault(path) });
  restoreSeed(first, dice!.mnemonic, { pin: '314159', passphrase: '' });
  expect(first.texts()).toEqual(READY);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  for (const secret of [dice!.entropy, dice!.seed, '314159'])
    expect(readFileSync(path, 'utf8')).not.toContain(secret);
  const second = await start({ noise: randomBytes(1 << 15), vault: new Vault(path) });
  expect(second.texts()).toEqual(['ZBC Signer', 'is locked']);
  expect(() => unlockSeed(second, '314158')).toThrow(expect.objectContaining({ code: 'WRONG_PAGE' }));
  second.press('both');
  second.press('left');
  expect(unlockSeed(second, '314159')).toBe(dice!.fingerprint);
});

test('a vault gives up a record only for the proof of its PIN, and after an erasure', () => {
  const [old, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const vault = new Vault(join(directory, 'proofs.json'));
  const record = () => {
    const out = Buffer.alloc(82);
    vault.read(out);
    return out[0];
  };
  expect(vault.clearAttempts(other)).toBe(false);
  expect(vault.write(Buffer.alloc(82, 1), other, old)).toBe(true);
  vault.beginAttempt();
  expect([vault.write(Buffer.alloc(82, 2), other, other), record()]).toEqual([false, 1]);
  expect([vault.clearAttempts(other), vault.clearAttempts(old)]).toEqual([false, true]);
  expect([vault.write(Buffer.alloc(82, 3), old, other), record()]).toEqual([true, 3]);
  expect([vault.clearAttempts(old), vault.clearAttempts(other)]).toEqual([false, true]);
  expect([vault.write(Buffer.alloc(82, 4), old, old), vault.erase(), record()]).toEqual([false, true, 0]);
  expect([vault.clearAttempts(other), vault.write(Buffer.alloc(82, 5), old, old)]).toEqual([false, true]);
});

test('a file that is not a vault is refused and not changed', () => {
  const path = join(directory, 'other.json');
  writeFileSync(path, '{"key":"00"}');
  expect(() => new Vault(path)).toThrow(expect.objectContaining({ code: 'VAULT_UNREADABLE' }));
  expect(readFileSync(path, 'utf8')).toBe('{"key":"00"}');
});

test.each([
  ['a seed', { seed: null, keystore: {} }, 'leave out seed'],
  ['a trace', { trace: true, keystore: {} }, 'cannot be used with keystore'],
  ['a vault without noise', { keystore: { vault: new Vault() } }, 'needs keystore.noise'],
])('an emulator with a keystore refuses %s', async (_, options, message) => {
  await expect(Emulator.start(options)).rejects.toThrow(message);
});

test('an emulator with a keystore keeps no trace', async () => {
  const emulator = await start();
  expect(emulator.keepTrace()).toBeUndefined();
});
