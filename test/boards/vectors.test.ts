import { getPublicKey, signMessage, signTransaction, splitReply } from '../../testkit/apdu.js';
import { Board, HID, hex, VENDOR } from '../../testkit/boards/board.js';
import {
  accountCases,
  bytesOf,
  type MessageCase,
  messages,
  refusalCases,
  transactionCases,
} from '../../testkit/vectors.js';

/** One board for all: what a vector leaves behind would be seen by the next. */
let board: Board;

beforeAll(() => {
  board = Board.start();
});

const isSigned = (vector: MessageCase) => 'signature' in vector.expect;

test.each(transactionCases.map(vector => [vector.name, vector] as const))(
  'signs "%s" after the pages of the emulator',
  (_, vector) => {
    const channel = board.sendAll(signTransaction(vector));
    const reply = board.approve(channel!);
    expect(hex(reply)).toBe(`${vector.expect.signature}${vector.expect.tx_hash}9000`);
  },
);

test.each(messages.cases.filter(isSigned).map(vector => [vector.message.slice(0, 40), vector] as const))(
  'signs the message %s',
  (_, vector) => {
    const channel = board.sendAll(signMessage(vector.account, bytesOf(vector.message)), VENDOR);
    const { signature } = vector.expect as { signature: string };
    expect(hex(board.approve(channel!, VENDOR))).toBe(`${signature}9000`);
  },
);

test('refuses what the emulator refuses, with the same details', () => {
  for (const vector of refusalCases) expect(board.sendAll(signTransaction(vector))).toBeUndefined();
  for (const { account, message } of messages.cases.filter(vector => !isSigned(vector)))
    expect(board.sendAll(signMessage(account, bytesOf(message)))).toBeUndefined();
  board.expectFrame();
});

test('gives the public keys of the vectors over both links', () => {
  const cases = accountCases.filter(({ passphrase }) => passphrase === '');
  expect(cases.length).toBeGreaterThan(1);
  cases.forEach(({ account, public_key, address }, index) => {
    const { data, status } = splitReply(board.exchange(getPublicKey(account), index % 2 ? VENDOR : HID));
    expect([status, hex(data.subarray(0, 32)), data.subarray(32).toString()]).toEqual([
      '9000',
      public_key,
      address,
    ]);
  });
});

test('uses less of the stack than the bound that the build computed', () => {
  expect(board.pico.usedStack).toBeGreaterThan(500);
  expect(board.pico.usedStack).toBeLessThan(2048);
});
