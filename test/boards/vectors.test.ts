import { Board, hex } from '../../testkit/boards/board.js';
import { getPublicKey, signMessage, signTransaction, splitReply } from '../../testkit/device/apdu.js';
import { someOf } from '../../testkit/repository/case-count.js';
import {
  accountCases,
  antiExfil,
  bytesOf,
  contacts,
  type MessageCase,
  messages,
  refusalCases,
  transactionCases,
} from '../../testkit/repository/vectors.js';

/** All vectors share one board, so that a test fails if data of the previous vector remains on the board. */
let board: Board;
let lastLink: number;

beforeAll(async () => {
  board = await Board.keep();
  lastLink = board.driver.links - 1;
});

const isSigned = (vector: MessageCase) => 'signature' in vector.expect;

test.each(someOf(transactionCases, 4).map(vector => [vector.name, vector] as const))(
  'signs "%s" after it showed the same pages as the emulator',
  async (_, vector) => {
    const channel = await board.sendAll(signTransaction(vector));
    const reply = await board.approve(channel!);
    expect(hex(reply)).toBe(`${vector.expect.signature}${vector.expect.tx_hash}9000`);
  },
);

test.each(messages.cases.filter(isSigned).map(vector => [vector.message.slice(0, 40), vector] as const))(
  'signs the message %s',
  async (_, vector) => {
    const channel = await board.sendAll(signMessage(vector.account, bytesOf(vector.message)), lastLink);
    const { signature } = vector.expect as { signature: string };
    expect(hex(await board.approve(channel!, lastLink))).toBe(`${signature}9000`);
  },
);

test.each(['register a ZBC account', 'send with escrow, both contacts'])(
  'shows the same pages as the emulator and gives the right reply: %s',
  async name => {
    const { steps } = contacts.cases.find(each => each.name === name)!;
    const channel = await board.sendAll(steps.map(({ command }) => bytesOf(command)));
    expect(hex(await board.approve(channel!))).toBe(steps.at(-1)!.reply);
  },
);

test.each(['send', 'message'])('gives R0 after the approval, and the signature to REVEAL: %s', async name => {
  const { steps } = antiExfil.cases.find(each => each.name === name)!;
  const commands = steps.map(({ command }) => bytesOf(command));
  const channel = await board.sendAll(commands.slice(0, -1));
  expect(hex(await board.approve(channel!))).toBe(steps.at(-2)!.reply);
  expect(await board.sendAll(commands.slice(-1))).toBeUndefined();
  expect(hex(await board.exchange(commands.at(-1)!))).toBe('6902');
});

test('refuses what the emulator refuses, with the same details', async () => {
  for (const vector of refusalCases) expect(await board.sendAll(signTransaction(vector))).toBeUndefined();
  for (const { account, message } of messages.cases.filter(vector => !isSigned(vector)))
    expect(await board.sendAll(signMessage(account, bytesOf(message)))).toBeUndefined();
  await board.expectFrame();
});

test('gives the public keys of the vectors over every link', async () => {
  const cases = accountCases.filter(({ passphrase }) => passphrase === '');
  expect(cases.length).toBeGreaterThan(1);
  for (const [index, { account, public_key, address }] of cases.entries()) {
    const { data, status } = splitReply(
      await board.exchange(getPublicKey(account), index % board.driver.links),
    );
    expect([status, hex(data.subarray(0, 32)), data.subarray(32).toString()]).toEqual([
      '9000',
      public_key,
      address,
    ]);
  }
});

test('the board uses between 500 and 2,048 bytes of the stack', () => {
  const { usedStack } = board.driver;
  if (usedStack === undefined) return;
  expect(usedStack).toBeGreaterThan(500);
  expect(usedStack).toBeLessThan(2048);
});
