import { decodeTransaction, fromHex, type Transaction } from '@zbc-signer/chain';
import { broadcastRequest } from '#host/gateway/broadcast.js';
import { transactions } from '../../../testkit/repository/vectors.js';

const plain = decodeTransaction(fromHex(transactions.cases[0]!.tx));
const signature = new Uint8Array(64);

function requestWith(instruction: string) {
  const terms = { commission: 1n, timeout: plain.timestamp + 1n, multiParty: false };
  const escrow = { approver: plain.sender, ...terms, instruction: fromHex(instruction) };
  const transaction: Transaction = { ...plain, escrow } as Transaction;
  return broadcastRequest(transaction, signature);
}

describe('the instruction of an escrow', () => {
  test.each([
    ['ASCII', '6869', 'hi'],
    ['UTF-8', 'c3bc', 'ü'],
    ['text behind a byte-order mark', 'efbbbf41', '\ufeffA'],
  ])(
    'with the content "%s" is broadcast as text from which a node rebuilds the same bytes',
    (_what, bytes, text) => {
      expect(requestWith(bytes)).toMatchObject({ escrow: { instruction: text } });
      expect(Buffer.from(text, 'utf8').toString('hex')).toBe(bytes);
    },
  );

  test('is left out of the broadcast if it is empty', () => {
    expect(requestWith('').escrow).not.toHaveProperty('instruction');
  });

  test.each(['ff', 'c3', 'eda080', 'c080'])('that is not UTF-8 is refused: %s', bytes => {
    expect(() => requestWith(bytes)).toThrow(expect.objectContaining({ code: 'INSTRUCTION_NOT_UTF8' }));
  });
});
