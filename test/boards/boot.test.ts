import { GET_APP_VERSION, getPublicKey, signTransaction, splitReply } from '../../testkit/apdu.js';
import { Board, hex } from '../../testkit/boards/board.js';
import { flashWithImage, provisionedFlash, SEED_SECTOR, TEST_SEED } from '../../testkit/boards/image.js';
import { SimulatedPico } from '../../testkit/boards/pico.js';
import { Reference } from '../../testkit/boards/reference.js';
import { transactionCases } from '../../testkit/vectors.js';

const LOCKED_FLAG = 2;

describe('the image', () => {
  test('boots to the menu of the emulator, pixel by pixel', () => {
    const board = Board.start();
    board.expectFrame();
    expect(board.reference.texts).toEqual(['ZBC Signer', 'is ready']);
  });

  test('boots within 100 ms, with a display as slow as a real one', () => {
    const board = Board.start(undefined, undefined, { slowDisplay: true });
    const pico = new SimulatedPico(provisionedFlash(), { slowDisplay: true }).boot();
    expect(pico.milliseconds).toBeLessThan(100);
    board.press('right');
    board.expectFrame();
  });

  test('is not started when boot2 is damaged', () => {
    const flash = provisionedFlash();
    flash[20]! ^= 1;
    expect(() => new SimulatedPico(flash)).toThrow('wrong checksum');
  });

  test('keeps no copy of the seed in SRAM while idle', () => {
    const board = Board.start();
    board.exchange(getPublicKey(0));
    board.pico.run(20);
    expect(Buffer.from(board.pico.chip.sram).includes(Buffer.from(TEST_SEED.subarray(0, 16)))).toBe(false);
  });
});

describe('without a seed', () => {
  const locked = () => Board.start(flashWithImage(), new Reference(null));

  test('the display says that the signer is locked', () => {
    const board = locked();
    board.expectFrame();
    expect(board.reference.texts).toEqual(['ZBC Signer', 'is locked']);
  });

  test('the host reads the locked flag, and no key is given', () => {
    const board = locked();
    expect(splitReply(board.exchange(GET_APP_VERSION)).data[4]! & LOCKED_FLAG).toBe(LOCKED_FLAG);
    expect(splitReply(board.exchange(getPublicKey(0))).status).toBe('5515');
    expect(board.sendAll(signTransaction(transactionCases[0]!))).toBeUndefined();
  });

  test.each([
    ['a bit of the seed is wrong', (flash: Uint8Array) => (flash[SEED_SECTOR + 20]! ^= 4)],
    ['the mark is wrong', (flash: Uint8Array) => (flash[SEED_SECTOR]! ^= 1)],
    ['only half was written', (flash: Uint8Array) => flash.fill(0xff, SEED_SECTOR + 40, SEED_SECTOR + 256)],
  ])('it is locked too when %s', (_, damage) => {
    const flash = provisionedFlash();
    damage(flash);
    const board = Board.start(flash, new Reference(null));
    expect(hex(board.exchange(getPublicKey(0)))).toBe('5515');
  });
});
