import { GET_APP_VERSION, getPublicKey, signMessage, signTransaction } from '../../testkit/device/apdu.js';
import { BareDevice } from '../../testkit/device/bare-device.js';
import { transactions } from '../../testkit/repository/vectors.js';

const BOTH = 3;
const plainSend = transactions.cases[0]!;
const REVIEWS: [string, Uint8Array[]][] = [
  ['a transaction', signTransaction(plainSend)],
  ['a message', signMessage(0, Buffer.from('hello'))],
  ['an address', [getPublicKey(0, true)]],
];

let device: BareDevice;
beforeEach(async () => {
  device = await BareDevice.start();
});

test.each(REVIEWS)('%s is answered LOCKED if the seed was replaced during its review', (_what, apdus) => {
  expect(device.send(apdus)).toBe('');
  device.walk();
  device.seed = new Uint8Array(64).fill(7);
  expect(device.press(BOTH)).toBe('5515');
  expect(device.texts).toEqual(['ZBC Signer', 'is ready']);
});

test.each(REVIEWS)('%s is answered LOCKED if the seed was removed during its review', (_what, apdus) => {
  expect(device.send(apdus)).toBe('');
  device.walk();
  device.seed = undefined;
  expect(device.press(BOTH)).toBe('5515');
});

test.each(REVIEWS)('%s is signed if a replaced seed was restored before the approval', (_what, apdus) => {
  const { seed } = device;
  expect(device.send(apdus)).toBe('');
  device.seed = new Uint8Array(64).fill(7);
  device.walk();
  device.seed = seed;
  expect(device.press(BOTH)).toMatch(/9000$/);
});

test('the firmware requests the seed only to derive keys', () => {
  expect(device.command(GET_APP_VERSION)).toMatch(/9000$/);
  for (const header of [signTransaction(plainSend), signMessage(0, Buffer.from('hello'))])
    expect(device.command(header[0]!)).toBe('9000');
  expect(device.seedsGiven).toBe(0);
  expect(device.command(getPublicKey(0))).toMatch(/9000$/);
  expect(device.seedsGiven).toBe(1);
});

test('a transaction is refused before it is shown if its user refuses unknown chains between header and last chunk', () => {
  const [header, ...chunks] = signTransaction(plainSend);
  expect(device.command(header!)).toBe('9000');
  for (const button of [2, 3, 3]) device.press(button);
  expect(device.texts).toEqual(['Unknown chains', 'refused']);
  expect(device.send(chunks)).toBe('0004000a6985');
  expect(device.texts).toEqual(['Unknown chains', 'refused']);
});

test.each([
  ['a refused header', [Buffer.concat([signTransaction(plainSend)[0]!.slice(0, 41), Buffer.alloc(8)])]],
  ['a refused transaction', signTransaction({ ...plainSend, tx: `02${plainSend.tx.slice(2)}` })],
])('nothing of the command stays in memory after %s', (_what, apdus) => {
  device.send(apdus);
  device.memory.fill(0, device.app.buffer(), device.app.buffer() + 261);
  expect(copies(device.memory, Buffer.from(plainSend.genesis, 'hex'))).toBe(0);
  expect(copies(device.memory, Buffer.from(plainSend.tx, 'hex').subarray(17, 49))).toBe(0);
});

/** The number of occurrences of `bytes` in `memory`. */
function copies(memory: Uint8Array, bytes: Buffer): number {
  const all = Buffer.from(memory);
  let count = 0;
  for (let at = all.indexOf(bytes); at >= 0; at = all.indexOf(bytes, at + 1)) count += 1;
  return count;
}
