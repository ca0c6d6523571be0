import { parseJson } from '@zbc-signer/chain';

/** A GET whose answer may be one that never changes; transaction hashes are lower hex. */
export type FixedQuestion =
  | { kind: 'transaction' | 'status'; hash: string }
  | { kind: 'block'; height: bigint }
  | { kind: 'token'; tokenId: bigint };

const QUESTION =
  /^\/api\/v1\/(?:transactions\/([0-9A-Fa-f]{64})(\/status)?|blocks\/(\d{1,18})|tokens\/(-?\d{1,19}))$/;

/** The fields of records in this repository; what another chain adds to them may change. */
const TRANSACTION_FIELDS = new Set([
  'transaction_hash',
  'transaction_id',
  'status',
  'block_height',
  'version',
  'timestamp',
  'transaction_type',
  'fee',
  'sender_account_address',
  'recipient_account_address',
  'transaction_body_bytes',
  'signature',
  'message_hex',
  'escrow',
  'escrow_status',
  'unsigned_hex',
]);
const STATUS_FIELDS = new Set(['transaction_hash', 'status', 'block_height']);
const BLOCK_FIELDS = new Set([
  'height',
  'block_hash',
  'previous_block_hash',
  'timestamp',
  'transaction_count',
  'transactions',
  'expired_escrows',
]);
const TOKEN_FIELDS = new Set(['token_id', 'name', 'symbol', 'decimals', 'supply']);
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
 * Whether an answer of status 200 never changes: a confirmed transaction, with an escrow that has ended, and
 * a block below `height`, the newest one that the node reported; a token.
 */
export function neverChanges(question: FixedQuestion, body: Buffer, height: bigint | undefined): boolean {
  if (question.kind !== 'token' && height === undefined) return false;
  const record = readRecord(body);
  if (record === undefined) return false;
  if (question.kind === 'token') return has(record, TOKEN_FIELDS) && record.token_id === question.tokenId;
  if (question.kind === 'block') return isBlock(record, question.height) && question.height < height!;
  const fields = question.kind === 'status' ? STATUS_FIELDS : TRANSACTION_FIELDS;
  return (
    has(record, fields) &&
    String(record.transaction_hash).toLowerCase() === question.hash &&
    isFinal(record) &&
    (record.block_height as bigint) < height!
  );
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
