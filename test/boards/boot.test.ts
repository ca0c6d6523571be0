import { Board } from '../../testkit/boards/board.js';
import { TEST_SEED } from '../../testkit/boards/storage.js';
import { GET_APP_VERSION, getPublicKey, signTransaction, splitReply } from '../../testkit/device/apdu.js';
import { transactionCases } from '../../testkit/repository/vectors.js';

const LOCKED_FLAG = 2;

describe('the image', () => {
  test('boots to the menu of the emulator, pixel by pixel', async () => {
    const board = await Board.start();
    await board.expectFrame();
    expect(board.reference.texts).toEqual(['ZBC Signer', 'is ready']);
  });

  test('keeps no copy of the seed in RAM while idle, except the open seed', async () => {
    const board = await Board.start();
    await board.exchange(getPublicKey(0));
    await board.driver.settle();
    const memory = Buffer.from(await board.driver.usedMemory());
    const part = Buffer.from(TEST_SEED.subarray(0, 16));
    const at = memory.indexOf(part);
    expect(at).toBeGreaterThan(0);
    expect(memory.indexOf(part, at + 1)).toBe(-1);
  });
});

describe('without a seed', () => {
  test('the display says that there is no seed', async () => {
    const board = await Board.start({ passphrase: null });
    await board.expectFrame();
    expect(board.reference.texts).toEqual(['ZBC Signer', 'has no seed']);
  });

  test('the host reads the locked flag, and gets no public key or signature', async () => {
    const board = await Board.start({ passphrase: null });
    expect(splitReply(await board.exchange(GET_APP_VERSION)).data[4]! & LOCKED_FLAG).toBe(LOCKED_FLAG);
    expect(splitReply(await board.exchange(getPublicKey(0))).status).toBe('5515');
    expect(await board.sendAll(signTransaction(transactionCases[0]!))).toBeUndefined();
  });
});
