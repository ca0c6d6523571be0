import { restoreSeed } from '@zbc-signer/emulator';
import { Board, hex } from '../../testkit/boards/board.js';
import type { Key } from '../../testkit/boards/driver.js';
import { Reference } from '../../testkit/boards/reference.js';
import { TEST_SEED } from '../../testkit/boards/storage.js';
import { getPublicKey, signTransaction } from '../../testkit/device/apdu.js';
import { accounts, transactionCases } from '../../testkit/repository/vectors.js';

const LOCKED = '5515';
const IDLE_LIMIT = 1800;
/**
 * Tests start this many seconds before the idle limit; even a loaded machine needs less time for a test's
 * actions.
 */
const EARLIER = 8;
const [CASE] = transactionCases as [(typeof transactionCases)[0]];
/** Presses that lead from the signer's first page to the keystore's menu. */
const QUIT: readonly Key[] = ['right', 'right', 'right', 'right', 'both'];

/** A user's presses for entering the vectors' words on an empty signer. */
function pressesThatRestore(): Key[] {
  const reference = new Reference(null);
  const keys: Key[] = [];
  const press = (key: Key) => {
    keys.push(key);
    reference.press(key);
  };
  restoreSeed({ texts: () => reference.texts, press }, accounts.mnemonic);
  return keys;
}

async function quit(board: Board): Promise<void> {
  await board.pressAll(QUIT);
  expect(board.reference.texts).toEqual(['ZBC Signer', 'is open']);
}

async function holdsSeed(board: Board): Promise<boolean> {
  await board.driver.settle();
  return Buffer.from(await board.driver.usedMemory()).includes(Buffer.from(TEST_SEED.subarray(0, 16)));
}

test('words can be entered with two buttons, on the same pages as in the emulator, and the board then signs', async () => {
  const board = await Board.start({ passphrase: null });
  const keys = pressesThatRestore();
  expect(keys.length).toBeGreaterThan(97);
  for (const [index, key] of keys.entries()) {
    await board.press(key);
    // A host gets the same answer on every page.
    if (index === 50) expect(hex(await board.exchange(getPublicKey(0)))).toBe(LOCKED);
    await board.expectFrame();
  }
  expect(board.reference.texts).toEqual(['ZBC Signer', 'is ready']);
  const channel = (await board.sendAll(signTransaction(CASE)))!;
  expect(hex(await board.approve(channel)).slice(0, 128)).toBe(CASE.expect.signature);
});

test('a seed is lost when power is lost', async () => {
  const board = await Board.start();
  expect(await holdsSeed(board)).toBe(true);
  const { driver } = board;
  const after = await Board.start({ passphrase: null, storage: await driver.storage() });
  await after.expectFrame();
  expect(hex(await after.exchange(getPublicKey(0)))).toBe(LOCKED);
});

test('a user who quits the signer finds the open seed in the menu, and hosts find the board locked until then', async () => {
  const board = await Board.start();
  await quit(board);
  expect(hex(await board.exchange(getPublicKey(0)))).toBe(LOCKED);
  await board.pressAll(['both']);
  expect(board.reference.texts).toEqual(['ZBC Signer', 'is ready']);
  expect(hex(await board.exchange(getPublicKey(0)))).toBe(hex(board.reference.command(getPublicKey(0))!));
});

test('the user can also quit the signer after a host cancelled its review', async () => {
  const board = await Board.start();
  const channel = (await board.sendAll(signTransaction(CASE)))!;
  const cancellation = new Uint8Array(64);
  cancellation.set([channel >> 8, channel & 0xff, 6]);
  await board.driver.write(0, cancellation);
  board.reference.cancel();
  await board.expectFrame();
  await quit(board);
});

test('a forgotten seed leaves nothing in memory', async () => {
  const board = await Board.start();
  await board.exchange(getPublicKey(0));
  await quit(board);
  while (board.reference.texts[0] !== 'Forget seed') await board.pressAll(['right']);
  await board.pressAll(['both', 'both']);
  expect(board.reference.texts[0]).toBe('ZBC Signer');
  expect(await holdsSeed(board)).toBe(false);
});

test('after half an hour without a press the seed is forgotten, and commands of hosts do not delay that', async () => {
  const board = await Board.start();
  await board.driver.setIdle(IDLE_LIMIT - EARLIER);
  expect(hex(await board.exchange(getPublicKey(0)))).toBe(hex(board.reference.command(getPublicKey(0))!));
  board.reference.idle(IDLE_LIMIT);
  await board.driver.run(1000 * (EARLIER + 1));
  await board.expectFrame();
  expect(board.reference.texts).toEqual(['ZBC Signer', 'has no seed']);
  expect(await holdsSeed(board)).toBe(false);
});

test('the seed is forgotten within a review too, and the approval is then refused', async () => {
  const board = await Board.start();
  const channel = (await board.sendAll(signTransaction(CASE)))!;
  await board.awaitApproval();
  await board.driver.setIdle(IDLE_LIMIT);
  board.reference.idle(IDLE_LIMIT);
  await board.driver.settle();
  await board.press('both');
  expect(hex(await board.receive(channel))).toBe(LOCKED);
  await board.expectFrame();
  expect(board.reference.texts).toEqual(['ZBC Signer', 'has no seed']);
  expect(await holdsSeed(board)).toBe(false);
});

test('the seed is kept if a button is pressed in time: a press puts it off', async () => {
  const board = await Board.start();
  await board.driver.setIdle(IDLE_LIMIT - EARLIER);
  await board.pressAll(['right']);
  await board.driver.run(1000 * (EARLIER + 2));
  await board.expectFrame();
  expect(await holdsSeed(board)).toBe(true);
});
