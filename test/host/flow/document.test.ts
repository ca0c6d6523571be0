import { decodeLinked, decodeTransaction, fromHex, parseJson, toHex } from '@zbc-signer/chain';
import {
  expectedReview,
  formatDocument,
  type PreparedTransaction,
  parseDocument,
  parseSignedDocument,
  type SignedTransaction,
} from '@zbc-signer/host';
import { bytesOf, type TransactionCase, transactionCases } from '../../../testkit/repository/vectors.js';

const HASH = 'ab'.repeat(32);

/** Returns the vector as a prepared transaction of this library. */
function preparedOf(vector: TransactionCase): PreparedTransaction {
  const transaction = decodeTransaction(bytesOf(vector.tx));
  const genesisHash = bytesOf(vector.genesis);
  const linked = vector.linked === undefined ? undefined : bytesOf(vector.linked);
  const escrowed = linked && { ...decodeLinked(linked), bytes: linked };
  const token = transaction.type === 11 ? { decimals: 8, symbol: 'USDX' } : undefined;
  const subject = { genesisHash, transaction, linked: escrowed?.transaction, token };
  return {
    account: vector.account,
    genesisHash,
    publicKey: transaction.sender.payload,
    transaction,
    ...(escrowed && { escrowed }),
    ...(token && { token }),
    review: expectedReview(subject),
    height: 2n ** 63n,
  };
}

function signedOf(vector: TransactionCase): SignedTransaction {
  return {
    ...preparedOf(vector),
    signature: bytesOf(vector.expect.signature),
    transactionHash: bytesOf(vector.expect.tx_hash),
    transactionId: Buffer.from(vector.expect.tx_hash, 'hex').readBigInt64LE(0),
    sent: 'no',
  };
}

const first = transactionCases[0]!;
const approval = transactionCases.find(({ name }) => name === 'escrow approve, coin')!;
const fieldsOf = (transaction: PreparedTransaction) =>
  parseJson(formatDocument(transaction)) as Record<string, unknown>;

describe('a document', () => {
  test.each(transactionCases)('of $name is read back unchanged', vector => {
    for (const transaction of [preparedOf(vector), signedOf(vector)]) {
      expect(parseDocument(formatDocument(transaction))).toEqual(transaction);
    }
  });

  test('has the expected fields in the expected order', () => {
    expect(fieldsOf(signedOf(first))).toEqual({
      format: 'zbc-signer-transaction',
      version: 1n,
      state: 'signed',
      account: BigInt(first.account),
      genesis_hash: first.genesis,
      public_key: toHex(decodeTransaction(bytesOf(first.tx)).sender.payload),
      transaction: first.tx,
      review: first.expect.review,
      height: 2n ** 63n,
      signature: first.expect.signature,
      transaction_hash: first.expect.tx_hash,
      transaction_id: `${Buffer.from(first.expect.tx_hash, 'hex').readBigInt64LE(0)}`,
      sent: 'no',
    });
    expect(formatDocument(preparedOf(first))).toMatch(/^\{"format":.*\]\],"height":9223372036854775808\}$/);
  });
});

test('a document of a release that stored no height is read with height 0', () => {
  const json = formatDocument(signedOf(first)).replace(/,"height":\d+/, '');
  expect(parseDocument(json)).toEqual({ ...signedOf(first), height: 0n });
});

/** Changes to the fields of a signed document. A field that is undefined is removed. */
const LIES: [what: string, changes: Record<string, unknown>][] = [
  ['another format', { format: 'zbc-signer' }],
  ['a version of 2', { version: 2 }],
  ['a version that is a text', { version: '1' }],
  ['another state', { state: 'approved' }],
  ['no state', { state: undefined }],
  ['a height below 0', { height: -1n }],
  ['a height of 2^64', { height: 2n ** 64n }],
  ['a height that is a text', { height: '9' }],
  ['the state of an earlier step', { state: 'prepared' }],
  ['an unknown field', { note: 'hello' }],
  ['an account below 0', { account: -1 }],
  ['an account of 2^31', { account: 2 ** 31 }],
  ['an account of 0.5', { account: 0.5 }],
  ['an account that is a text', { account: '0' }],
  ['a genesis hash of 31 bytes', { genesis_hash: first.genesis.slice(2) }],
  ['another genesis hash', { genesis_hash: HASH }],
  ['hex in upper case', { genesis_hash: first.genesis.toUpperCase() }],
  ['hex with 0x', { genesis_hash: `0x${first.genesis}` }],
  ['a key of zeros', { public_key: '00'.repeat(32) }],
  ['a key that is a number', { public_key: 7 }],
  ['a transaction cut short', { transaction: first.tx.slice(0, -2) }],
  ['a longer transaction', { transaction: `${first.tx}00` }],
  ['an empty transaction', { transaction: '' }],
  ['no transaction', { transaction: undefined }],
  ['another transaction', { transaction: transactionCases[1]!.tx }],
  ['a linked transaction of a transfer', { linked: approval.linked }],
  ['token details of a transfer of coins', { token: { decimals: 8 } }],
  ['no review', { review: undefined }],
  ['an empty review', { review: [] }],
  ['a review with another amount', { review: [['Amount', '1 ZBC']] }],
  ['a signature with flipped bits', { signature: `f${first.expect.signature.slice(1)}` }],
  ['a signature of 63 bytes', { signature: first.expect.signature.slice(2) }],
  ['no signature', { signature: undefined }],
  ['another hash', { transaction_hash: HASH }],
  ['another id', { transaction_id: '1' }],
  ['an id that is a number', { transaction_id: 1 }],
  ['no id', { transaction_id: undefined }],
  ['an unknown sent', { sent: 'perhaps' }],
  ['a sent of true', { sent: true }],
  ['no sent', { sent: undefined }],
];

const textOf = (fields: object) =>
  JSON.stringify(fields, (_name, value) => (typeof value === 'bigint' ? Number(value) : value));

const SIGNED = formatDocument(signedOf(first));

describe('a document that lies is refused', () => {
  test.each(LIES)('with %s', (_what, changes) => {
    const fields = { ...fieldsOf(signedOf(first)) };
    expect(() => parseDocument(textOf(fields))).not.toThrow();
    const lying = textOf({ ...fields, ...changes });
    expect(() => parseDocument(lying)).toThrow(expect.objectContaining({ code: 'INVALID_DOCUMENT' }));
  });

  test.each<[string, string]>([
    ['empty', ''],
    ['null', 'null'],
    ['a JSON list', '[]'],
    ['a JSON string', '"zbc-signer-transaction"'],
    ['an HTML page', '<html>'],
    ['an object with a prototype', SIGNED.replace('{', '{"__proto__":{"sent":"no"},')],
    ['an object with the same name twice', '{"format":"zbc-signer-transaction","format":"x"}'],
    ['100,000 brackets', '['.repeat(100_000)],
    ['a megabyte', `{"format":"${'a'.repeat(1_000_000)}"}`],
  ])('that is %s', (_what, text) => {
    expect(() => parseDocument(text)).toThrow(expect.objectContaining({ code: 'INVALID_DOCUMENT' }));
  });

  test.each<[string, Record<string, unknown>]>([
    ['no linked transaction', { linked: undefined }],
    ['another linked transaction', { linked: approval.linked!.replace(/.$/, '0').replace(/^(..)/, '$1') }],
    ['a linked transaction without its signature', { linked: approval.linked!.slice(0, -128) }],
  ])('about an escrow approval with %s', (_what, changes) => {
    const text = textOf({ ...fieldsOf(preparedOf(approval)), ...changes });
    expect(() => parseDocument(text)).toThrow(expect.objectContaining({ code: 'INVALID_DOCUMENT' }));
  });

  test.each<[string, unknown]>([
    ['9 decimals', { decimals: 9 }],
    ['decimals as a string', { decimals: '8' }],
    ['a symbol with a space', { symbol: 'US DX' }],
    ['a symbol of 13 characters', { symbol: 'A'.repeat(13) }],
    ['a name', { decimals: 8, name: 'Dollar' }],
    ['a number instead of an object', 8],
  ])('about a token with %s', (_what, token) => {
    const vector = transactionCases.find(({ tx }) => tx.startsWith('0b000000'))!;
    const text = textOf({ ...fieldsOf(preparedOf(vector)), token });
    expect(() => parseDocument(text)).toThrow(expect.objectContaining({ code: 'INVALID_DOCUMENT' }));
  });
});

test('a document of more than 65,536 characters is refused unread', () => {
  const json = formatDocument(signedOf(first));
  expect(() => parseDocument(json.padEnd(65_536))).not.toThrow();
  expect(() => parseDocument(json.padEnd(65_537))).toThrow('longer than 65536 characters');
});

test('a prepared document is refused where a signed document is expected', () => {
  const prepared = formatDocument(preparedOf(first));
  const error = { code: 'INVALID_DOCUMENT', message: 'the transaction document is not signed yet' };
  expect(() => parseSignedDocument(prepared)).toThrow(expect.objectContaining(error));
  expect(parseSignedDocument(formatDocument(signedOf(first))).signature).toEqual(
    fromHex(first.expect.signature),
  );
});

test('a document keeps every digit of large integers', () => {
  const big = transactionCases.filter(({ tx }) => tx.includes('ffffffff'));
  for (const vector of big) {
    expect(parseDocument(formatDocument(preparedOf(vector))).transaction).toEqual(
      decodeTransaction(bytesOf(vector.tx)),
    );
  }
});
