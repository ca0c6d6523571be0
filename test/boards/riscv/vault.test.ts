import { createHash } from 'node:crypto';
import { restoreSeed, unlockSeed, Vault } from '@zbc-signer/emulator';
import { Board, hex } from '../../../testkit/boards/board.js';
import type { Key } from '../../../testkit/boards/driver.js';
import { Reference } from '../../../testkit/boards/reference.js';
import { getPublicKey } from '../../../testkit/device/apdu.js';
import { accounts } from '../../../testkit/repository/vectors.js';

const NOISE = createHash('shake256', { outputLength: 4096 }).update('noise of a test').digest();
const [PIN, WRONG_PIN] = ['314159', '271828'];
const LOCKED = '5515';
type Hands = Parameters<typeof restoreSeed>[0];

/** An emulator after its power came on, with what is in the same vault. */
const beside = (vault: Vault) => new Reference(null, undefined, { noise: NOISE, vault });

/** A board with a model of a vault, and presses that are those of a person who reads each page. */
async function act(board: Board, person: (hands: Hands) => void): Promise<void> {
  const keys: Key[] = [];
  const { reference } = board;
  person({
    texts: () => reference.texts,
    press: key => {
      keys.push(key);
      reference.press(key);
    },
  });
  for (const key of keys) {
    await board.driver.press(key);
    await board.driver.settle();
  }
  await board.expectFrame();
}

const unlock = (board: Board, pin: string) =>
  act(board, hands => {
    try {
      unlockSeed(hands, pin);
    } catch (error) {
      if (pin === PIN) throw error;
    }
  });

const keyOf = async (board: Board) => hex(await board.exchange(getPublicKey(0)));

/** A board that keeps the vectors' seed, after a loss of power. */
async function keeping(): Promise<[Board, Vault]> {
  const vault = new Vault();
  const board = await Board.start({ passphrase: null, noise: NOISE }, beside(vault));
  await act(board, hands => restoreSeed(hands, accounts.mnemonic, { pin: PIN }));
  expect(board.reference.texts).toEqual(['ZBC Signer', 'is ready']);
  return [await board.restarted('lost', beside(vault)), vault];
}

test('a seed is kept under a PIN, tries are counted over losses of power, and the tenth wrong one erases', async () => {
  let [board, vault] = await keeping();
  await board.expectFrame();
  expect(board.reference.texts).toEqual(['ZBC Signer', 'is locked']);
  for (const left of [9, 8]) {
    expect(await keyOf(board)).toBe(LOCKED);
    await unlock(board, WRONG_PIN);
    expect(board.reference.texts).toEqual(['Wrong PIN', `${left} tries left`]);
    board = await board.restarted('lost', beside(vault));
  }
  await unlock(board, PIN);
  expect(await keyOf(board)).toBe(hex(board.reference.command(getPublicKey(0))!));
  board = await board.restarted('lost', beside(vault));
  for (let left = 9; left > 0; left--) {
    await unlock(board, WRONG_PIN);
    expect(board.reference.texts).toEqual(['Wrong PIN', left === 1 ? '1 try left' : `${left} tries left`]);
    await board.pressAll(['both']);
  }
  await unlock(board, WRONG_PIN);
  expect(board.reference.texts[0]).toBe('Seed erased');
  board = await board.restarted('lost', beside(vault));
  await board.expectFrame();
  expect(board.reference.texts).toEqual(['ZBC Signer', 'has no seed']);
});

test('its noise is what it is given, and none is a failure', async () => {
  const board = await Board.start(
    { passphrase: null, noise: NOISE.subarray(0, 1023) },
    new Reference(null, undefined, { noise: NOISE.subarray(0, 1023), vault: new Vault() }),
  );
  await board.pressAll(['right', 'both', 'left', 'left']);
  expect(board.reference.texts).toEqual(['Noise source', 'has failed']);
});
