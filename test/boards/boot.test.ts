import { Board, hex } from '../../testkit/boards/board.js';
import type { Storage } from '../../testkit/boards/driver.js';
import { Reference } from '../../testkit/boards/reference.js';
import { storageWith, TEST_SEED } from '../../testkit/boards/storage.js';
import { GET_APP_VERSION, getPublicKey, signTransaction, splitReply } from '../../testkit/device/apdu.js';
import { transactionCases } from '../../testkit/repository/vectors.js';

const LOCKED_FLAG = 2;

describe('the image', () => {
  test('boots to the menu of the emulator, pixel by pixel', async () => {
    const board = await Board.start();
    await board.expectFrame();
    expect(board.reference.texts).toEqual(['ZBC Signer', 'is ready']);
  });

  test('keeps no copy of the seed in RAM while idle', async () => {
    const board = await Board.start();
    await board.exchange(getPublicKey(0));
    await board.driver.settle();
    const memory = Buffer.from(await board.driver.usedMemory());
    expect(memory.includes(Buffer.from(TEST_SEED.subarray(0, 16)))).toBe(false);
  });
});

describe('without a seed', () => {
  const locked = (storage = storageWith(null)) => Board.start({ storage }, new Reference(null));

  test('the display says that the signer is locked', async () => {
    const board = await locked();
    await board.expectFrame();
    expect(board.reference.texts).toEqual(['ZBC Signer', 'is locked']);
  });

  test('the host reads the locked flag, and no key is given', async () => {
    const board = await locked();
    expect(splitReply(await board.exchange(GET_APP_VERSION)).data[4]! & LOCKED_FLAG).toBe(LOCKED_FLAG);
    expect(splitReply(await board.exchange(getPublicKey(0))).status).toBe('5515');
    expect(await board.sendAll(signTransaction(transactionCases[0]!))).toBeUndefined();
  });

  test.each<[string, (seed: Storage['seed']) => void]>([
    ['a bit of the seed is wrong', seed => (seed[20]! ^= 4)],
    ['the mark is wrong', seed => (seed[0]! ^= 1)],
    ['only half was written', seed => seed.fill(0xff, 40)],
  ])('it is locked too when %s', async (_, damage) => {
    const storage = storageWith();
    damage(storage.seed);
    const board = await locked(storage);
    expect(hex(await board.exchange(getPublicKey(0)))).toBe('5515');
  });
});
