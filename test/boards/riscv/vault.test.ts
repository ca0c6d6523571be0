import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { restoreSeed, unlockSeed, Vault } from '@zbc-signer/emulator';
import { Board, closeBoards, hex } from '../../../testkit/boards/board.js';
import type { Key, Storage } from '../../../testkit/boards/driver.js';
import { Reference } from '../../../testkit/boards/reference.js';
import { getPublicKey } from '../../../testkit/device/apdu.js';
import { accounts } from '../../../testkit/repository/vectors.js';

const NOISE = createHash('shake256', { outputLength: 4096 }).update('noise of a test').digest();
const [PIN, NEW_PIN, WRONG_PIN] = ['314159', '161616', '271828'];
const KEYS = ['left', 'both', 'right'] as const;
const LOCKED = '5515';
type Hands = Parameters<typeof restoreSeed>[0];
type Sectors = NonNullable<Storage['vault']>;

// Layout of the record of vault-model/vault.c at the start of a sector (common/record.h).
const [NUMBER_AT, COUNT_AT, RECORD_AT, RECORD_BYTES, CRC_AT] = [4, 8, 16, 82, 132];
/** Number of flash commands that write a record: one erasure, then one write for each word. */
const WRITE = 1 + (CRC_AT + 4) / 4;

/** The content of the newest complete sector. */
function contentsOf(sectors: Sectors): { count: number; record: string } {
  const [newest] = sectors
    .map(sector => Buffer.from(sector))
    .filter(
      bytes =>
        bytes.toString('latin1', 0, NUMBER_AT) === 'ZBCv' && bytes.readUInt32LE(CRC_AT) === crcOf(bytes),
    )
    .sort((one, other) => other.readUInt32LE(NUMBER_AT) - one.readUInt32LE(NUMBER_AT));
  if (newest === undefined) throw new Error('neither sector is whole');
  const record = newest.toString('hex', RECORD_AT, RECORD_AT + RECORD_BYTES);
  return { count: newest.readUInt32LE(COUNT_AT), record };
}

function withNineTries(sector: Uint8Array): Uint8Array {
  const bytes = Buffer.from(sector);
  bytes.writeUInt32LE(9, COUNT_AT);
  bytes.writeUInt32LE(crcOf(bytes), CRC_AT);
  return bytes;
}

const crcOf = (bytes: Buffer) => crc32(bytes.subarray(0, CRC_AT));

/** A restarted emulator with the same vault content. The board gives its noise again after the end. */
const beside = (vault: Vault) =>
  new Reference(null, undefined, { noise: Buffer.alloc(1 << 14, NOISE), vault });

/** The presses of a person who reads each page. */
function keysOf(reference: Reference, person: (hands: Hands) => void): Key[] {
  const keys: Key[] = [];
  const press = (key: Key) => {
    keys.push(key);
    reference.press(key);
  };
  person({ texts: () => reference.texts, press });
  return keys;
}

async function pressBlindly(board: Board, keys: readonly Key[]): Promise<void> {
  for (const key of keys) {
    await board.driver.press(key);
    await board.driver.settle();
  }
}

async function act(board: Board, person: (hands: Hands) => void): Promise<void> {
  await pressBlindly(board, keysOf(board.reference, person));
  await board.expectFrame();
}

const tryPin = (pin: string) => (hands: Hands) => {
  try {
    unlockSeed(hands, pin);
  } catch (error) {
    if (pin === PIN) throw error;
  }
};
const unlock = (board: Board, pin: string) => act(board, tryPin(pin));

/** Enters the old PIN once and the new one twice, from the menu of the signer. */
function changePin({ texts, press }: Hands): void {
  const enter = (pin: string) => {
    for (const digit of [...pin].flatMap(each => [each, each]))
      press(
        KEYS[
          texts()
            .slice(1)
            .findIndex(line => line.slice(3).includes(digit))
        ]!,
      );
  };
  for (const page of ['Quit', 'Change PIN']) {
    while (texts()[0] !== page) press('right');
    press('both');
  }
  enter(PIN!);
  press('right');
  enter(NEW_PIN!);
  enter(NEW_PIN!);
}

const keyOf = async (board: Board) => hex(await board.exchange(getPublicKey(0)));

/** A board that keeps the vectors' seed, after a loss of power. */
async function keeping(): Promise<[Board, Vault]> {
  const vault = new Vault();
  const board = await Board.start({ passphrase: null, noise: NOISE }, beside(vault));
  await act(board, hands => restoreSeed(hands, accounts.mnemonic, { pin: PIN }));
  expect(board.reference.texts).toEqual(['ZBC Signer', 'is ready']);
  return [await board.restarted('lost', beside(vault)), vault];
}

test('a seed is kept under a PIN, tries are counted across losses of power, and the tenth wrong try erases it', async () => {
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
  await act(board, changePin);
  expect(board.reference.texts).toEqual(['ZBC Signer', 'is open']);
  board = await board.restarted('lost', beside(vault));
  await unlock(board, NEW_PIN!);
  expect(board.reference.texts).toEqual(['ZBC Signer', 'is ready']);
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

test('wherever power fails in the tenth wrong try, the try counts, and the seed is whole or erased', async () => {
  const [board, vault] = await keeping();
  const { settings, vault: sectors } = await board.driver.storage();
  await closeBoards();
  const storage = { settings, vault: sectors!.map(withNineTries) as Sectors };
  const { record } = contentsOf(storage.vault);
  for (const place of [
    0,
    1,
    20,
    WRITE - 1,
    WRITE,
    WRITE + 1,
    2 * WRITE - 1,
    2 * WRITE,
    2 * WRITE + 1,
    3 * WRITE - 1,
  ]) {
    const cut = await Board.start({ passphrase: null, noise: NOISE, storage }, beside(vault));
    const keys = keysOf(cut.reference, tryPin(WRONG_PIN));
    await pressBlindly(cut, keys.slice(0, -1));
    const left = await cut.driver.powerCutWhile(() => cut.driver.press(keys.at(-1)!), place);
    await closeBoards();
    const erased = { count: 0, record: '00'.repeat(RECORD_BYTES) };
    const expected =
      place < WRITE ? { count: 9, record } : place < 2 * WRITE ? { count: 10, record } : erased;
    expect({ place, ...contentsOf(left.vault!) }).toEqual({ place, ...expected });
    // The next start completes an interrupted tenth attempt.
    if (place !== WRITE + 1) continue;
    const after = await Board.start({ passphrase: null, noise: NOISE, storage: left }, beside(new Vault()));
    await after.driver.settle();
    expect(contentsOf((await after.driver.storage()).vault!)).toEqual(erased);
    await closeBoards();
  }
}, 1_200_000);

test('too little noise is reported as a failure of the noise source', async () => {
  const board = await Board.start(
    { passphrase: null, noise: NOISE.subarray(0, 1023) },
    new Reference(null, undefined, { noise: NOISE.subarray(0, 1023), vault: new Vault() }),
  );
  await board.pressAll(['right', 'both', 'left', 'left']);
  expect(board.reference.texts).toEqual(['Noise source', 'has failed']);
});
