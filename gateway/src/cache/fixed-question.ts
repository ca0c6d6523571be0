import { parseJson } from '@zbc-signer/chain';
import { countSeparators } from '../base/node-json.js';
import { fieldsOf } from '../openapi/schemas.js';

/** A GET whose answer may be immutable. Transaction hashes are lower-case hex. */
export type FixedQuestion =
  | { kind: 'transaction' | 'status'; hash: string }
  | { kind: 'block'; height: bigint }
  | { kind: 'token'; tokenId: bigint };

const QUESTION =
  /^\/api\/v1\/(?:transactions\/([0-9A-Fa-f]{64})(\/status)?|blocks\/(\d{1,18})|tokens\/(-?\d{1,19}))$/;

/**
 * The fields of the documented records, which never change once their block has a successor. Fields that
 * another chain adds may change.
 */
const TRANSACTION_FIELDS = fieldsOf('Transaction');
const BLOCK_FIELDS = fieldsOf('Block');
const TOKEN_FIELDS = fieldsOf('Token');
const STATUS_FIELDS = new Set(['transaction_hash', 'status', 'block_height']);
/**
 * Maximum number of separators in an answer that is parsed. A block of the largest cached size has a fifth of
 * this number.
 */
const MAX_SEPARATORS = 8192;
/** Final states of an escrow. An escrow that is `held` can still change. */
const ENDED = ['approved', 'rejected', 'expired'];

type Fields = Readonly<Record<string, unknown>>;

/** Parses the target of a GET. Returns undefined if its answer can change. */
export function fixedQuestionOf(target: string): FixedQuestion | undefined {
  const match = QUESTION.exec(target);
  if (match === null) return undefined;
  const [, hash, status, height, tokenId] = match;
  if (hash !== undefined) return { kind: status ? 'status' : 'transaction', hash: hash.toLowerCase() };
  if (height !== undefined) return { kind: 'block', height: BigInt(height) };
  return { kind: 'token', tokenId: BigInt(tokenId!) };
}

/**
 * Whether a node's answer with status 200 is immutable. Tokens are; blocks and confirmed transactions are if
 * they are below the node's height and their escrows have ended.
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

/** Whether a transaction is confirmed and its escrow, if any, has ended. */
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
