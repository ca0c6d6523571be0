import { parseJson } from '@zbc-signer/chain';
import { countSeparators } from '../base/node-json.js';
import { fieldsOf } from '../openapi/schemas.js';

/** A GET whose answer may be one that never changes; transaction hashes are lower hex. */
export type FixedQuestion =
  | { kind: 'transaction' | 'status'; hash: string }
  | { kind: 'block'; height: bigint }
  | { kind: 'token'; tokenId: bigint };

const QUESTION =
  /^\/api\/v1\/(?:transactions\/([0-9A-Fa-f]{64})(\/status)?|blocks\/(\d{1,18})|tokens\/(-?\d{1,19}))$/;

/**
 * The fields of the documented records: none changes once its block has a successor, which a new one must not
 * do either. What another chain adds to them may change.
 */
const TRANSACTION_FIELDS = fieldsOf('Transaction');
const BLOCK_FIELDS = fieldsOf('Block');
const TOKEN_FIELDS = fieldsOf('Token');
const STATUS_FIELDS = new Set(['transaction_hash', 'status', 'block_height']);
/** A block of as many bytes as are kept has a fifth of them. */
const MAX_SEPARATORS = 8192;
/** How an escrow ended; `held` ones change. */
const ENDED = ['approved', 'rejected', 'expired'];

type Fields = Readonly<Record<string, unknown>>;

/** Reads the target of a GET; undefined for every other one. */
export function fixedQuestionOf(target: string): FixedQuestion | undefined {
  const match = QUESTION.exec(target);
  if (match === null) return undefined;
  const [, hash, status, height, tokenId] = match;
  if (hash !== undefined) return { kind: status ? 'status' : 'transaction', hash: hash.toLowerCase() };
  if (height !== undefined) return { kind: 'block', height: BigInt(height) };
  return { kind: 'token', tokenId: BigInt(tokenId!) };
}

/**
 * Whether an answer of status 200 from a node at `height` never changes: a token, or below the newest block a block
 * or a confirmed transaction, with an escrow that has ended.
 */
export function neverChanges(question: FixedQuestion, body: Buffer, height: bigint | undefined): boolean {
  const record = readRecord(body);
  if (record === undefined) return false;
  if (question.kind === 'token') return has(record, TOKEN_FIELDS) && record.token_id === question.tokenId;
  const isSettled = (at: bigint) => height !== undefined && at < height;
  if (question.kind === 'block') return isBlock(record, question.height) && isSettled(question.height);
  const fields = question.kind === 'status' ? STATUS_FIELDS : TRANSACTION_FIELDS;
  const isOfHash = String(record.transaction_hash).toLowerCase() === question.hash;
  return has(record, fields) && isOfHash && isFinal(record) && isSettled(record.block_height as bigint);
}

function isBlock(record: Fields, height: bigint): boolean {
  const { transactions } = record;
  return (
    has(record, BLOCK_FIELDS) &&
    record.height === height &&
    Array.isArray(transactions) &&
    transactions.every(each => isRecord(each) && has(each, TRANSACTION_FIELDS) && isFinal(each))
  );
}

/** Confirmed, and without an escrow that waits for its end. */
function isFinal({ status, block_height: height, escrow, escrow_status: end }: Fields): boolean {
  if (status !== 'confirmed' || typeof height !== 'bigint') return false;
  return end === undefined ? escrow === undefined : ENDED.includes(String(end));
}

function has(record: Fields, fields: ReadonlySet<string>): boolean {
  return Object.keys(record).every(name => fields.has(name));
}

function readRecord(body: Buffer): Fields | undefined {
  if (countSeparators(body) > MAX_SEPARATORS) return undefined;
  try {
    const record = parseJson(body.toString());
    return isRecord(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
