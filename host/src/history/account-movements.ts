import { EscrowDecision, toHex } from '@zbc-signer/chain';
import type { Movement } from '../gateway/records/movement.js';
import type { ListedTransaction } from '../gateway/records/transaction.js';
import {
  type Activity,
  type BlockSpan,
  type EscrowEnding,
  type EscrowOutcome,
  unknownEndings,
} from './block-span.js';

const COIN = 0n;
/** Kinds of the gateway's movements that follow from blocks. */
const OF_ESCROWS = ['unlock', 'refund'];

/**
 * What the row is based on. `confirmed` or the state of an escrow: verified blocks. `undetermined`: blocks do
 * not tell what moved. `reported`: only the gateway's lists. `pending`: the transaction is in no block yet.
 */
export type MovementStatus = 'confirmed' | 'held' | EscrowOutcome | 'undetermined' | 'reported' | 'pending';

/**
 * A change of an account's spendable balance of one token: `amount` is signed, in atomic units, and does not
 * include `fee`, which is an amount of coins that the account paid. Kinds: `sent`, `received`, `self`
 * (payments), `approval`, `rejection` (decisions of this account), `escrow` (what the sender of an escrow
 * deposits; 0 for the recipient and the approver), `commission`, `unlock`, `refund`, `other` (a transaction
 * of another type) or the kind of a movement that the gateway reports, such as `reward`.
 */
export interface AccountMovement {
  kind: string;
  tokenId: bigint;
  /** Undefined if it is not known. */
  amount: bigint | undefined;
  fee: bigint;
  /** A `ZBC_` address or the wire form in hex. */
  counterparty: string | undefined;
  /** Undefined for a movement that no transaction caused. */
  transactionHash: Uint8Array | undefined;
  status: MovementStatus;
  /** Undefined while the transaction is in no block. */
  height: bigint | undefined;
  /** Unix seconds: the time of the block or, without one, that of the transaction. */
  timestamp: bigint | undefined;
  /** The transaction that caused the movement, or opened the escrow. */
  transaction: ListedTransaction | undefined;
}

/** A movement with its place among the movements of its block. */
type Placed = AccountMovement & { position: number };

/** What a gateway lists besides its blocks: transactions, newest first, and the chain's own movements. */
export interface GatewayLists {
  transactions: readonly ListedTransaction[];
  movements: readonly Movement[];
}

/**
 * The movements of an account, oldest first: those that the blocks of a span determine and, of the gateway's
 * lists, those that these blocks do not have. If they are determined (`isDetermined`) and no reward is missing
 * (`listsAllRewards`), the spendable balance of a token after the span is that before the span, plus all amounts
 * of the token and, for the coin, less all fees, without the movements that are pending.
 */
export function accountMovements(
  account: string,
  span: BlockSpan | undefined,
  lists: GatewayLists = { transactions: [], movements: [] },
): AccountMovement[] {
  const known = new Set(span?.activities.map(({ hash }) => toHex(hash)));
  const listed = lists.transactions.filter(({ hash }) => !known.has(toHex(hash))).reverse();
  const isInSpan = (height = -1n) => span !== undefined && height >= span.from && height <= span.to;
  const movements = lists.movements
    .filter(({ kind, blockHeight }) => !(OF_ESCROWS.includes(kind) && isInSpan(blockHeight)))
    .filter(movement => movement.account === account)
    .reverse();
  const rows = [
    ...movementsOfSpan(account, span),
    ...listed.flatMap((transaction, at) => movementsOfListed(account, transaction, at)),
    ...movements.map(movementOfList),
  ];
  return rows.sort(comparePlaces).map(({ position, ...movement }) => movement);
}

/**
 * Whether verified blocks determine all payments, fees and escrows of an account from the span's first block on;
 * `movements` are those of the account. Not so if an end is that of an escrow which the span does not have, if an
 * escrow's end is not known, if a block does not list the ends while an escrow may be older than the span, or if a
 * transaction does not have its hash or is of another type. No block tells who
 * earns a reward: an account whose rewards the gateway lists has `reported` movements.
 */
export function isDetermined(span: BlockSpan, movements: readonly AccountMovement[]): boolean {
  const mayLackEndings = span.from > 0n && !span.listsExpired;
  return (
    !mayLackEndings &&
    unknownEndings(span).length === 0 &&
    movements.every(({ status }) => !UNDETERMINED.includes(status))
  );
}

/**
 * Whether the newest `limit` movements of the chain, read after the span, have every reward of the span: whether
 * they are all movements, or reach below the span. Only the gateway vouches for this.
 */
export function listsAllRewards(
  { from }: Pick<BlockSpan, 'from'>,
  newest: readonly Movement[],
  limit: number,
): boolean {
  return newest.length < limit || newest.some(({ blockHeight = from }) => blockHeight < from);
}

const UNDETERMINED: readonly MovementStatus[] = ['undetermined', 'reported'];

function endingsByHash({ endings }: BlockSpan): Map<string, EscrowEnding[]> {
  const found = new Map<string, EscrowEnding[]>();
  for (const ending of endings) {
    found.set(ending.escrowHash, [...(found.get(ending.escrowHash) ?? []), ending]);
  }
  return found;
}

/**
 * The end of an escrow. `undetermined` if its timeout is over and no block of the span reports its end, or if
 * the reports contradict the escrow or each other.
 */
function endingIn(
  { escrow, height, position, isVerified }: Activity,
  endings: readonly EscrowEnding[] = [],
  time: bigint | undefined,
): EscrowEnding | 'held' | 'undetermined' {
  if (escrow === undefined || !isVerified) return 'undetermined';
  const [ending, ...more] = endings;
  if (ending === undefined) return time !== undefined && time > escrow.timeout ? 'undetermined' : 'held';
  const isLater = ending.height > height || (ending.height === height && ending.position > position);
  const isValid =
    ending.outcome === 'expired'
      ? ending.blockTime !== undefined && ending.blockTime > escrow.timeout
      : ending.decidedBy === escrow.approver;
  return isLater && isValid && more.length === 0 ? ending : 'undetermined';
}

function movementsOfSpan(account: string, span: BlockSpan | undefined): Placed[] {
  if (span === undefined) return [];
  const endings = endingsByHash(span);
  return span.activities.flatMap(activity => {
    const { hash, escrow, height, position } = activity;
    const end = escrow && endingIn(activity, endings.get(toHex(hash)), span.time);
    const ending = typeof end === 'object' && isPlain(activity) ? end : undefined;
    const state = typeof end === 'object' ? end.outcome : (end ?? 'confirmed');
    const status: MovementStatus = isPlain(activity) ? state : 'undetermined';
    const timestamp = activity.blockTime ?? activity.timestamp;
    const opened = movementsOf(account, activity);
    const released = ending === undefined ? [] : releasesOf(account, activity, ending);
    if (height >= span.from) {
      const rows = opened.map(row => ({ ...row, status, height, position, timestamp }));
      return [...rows, ...released.map(row => ({ ...row, status }))];
    }
    // Of an escrow below the span, only the end is in the span.
    const [first] = endings.get(toHex(hash)) ?? [];
    if (status !== 'undetermined' || first === undefined) return released.map(row => ({ ...row, status }));
    const place = { height: first.height, position: first.position, timestamp: first.blockTime };
    return opened.map(row => ({ ...row, ...place, amount: undefined, fee: 0n, status }));
  });
}

/** Whether the blocks determine what the transaction moves. The rate of a fee in a token is not known. */
function isPlain({ isVerified, content }: Activity): boolean {
  return isVerified && content.kind !== 'other' && !(content.kind === 'token' && content.feeInToken === true);
}

function movementsOfListed(account: string, transaction: ListedTransaction, position: number): Placed[] {
  const { blockHeight: height, timestamp } = transaction;
  const status: MovementStatus = height === undefined ? 'pending' : 'reported';
  return movementsOf(account, transaction).map(row => ({ ...row, status, height, timestamp, position }));
}

function movementOfList(movement: Movement): Placed {
  const { kind, tokenId, amount, blockHeight: height, timestamp, transactionHash } = movement;
  const position = Number.MAX_SAFE_INTEGER;
  const rest = { fee: 0n, counterparty: undefined, transaction: undefined };
  return { kind, tokenId, amount, transactionHash, status: 'reported', height, timestamp, position, ...rest };
}

type Unplaced = Omit<AccountMovement, 'status' | 'height' | 'timestamp'>;

/** What a transaction itself moves, without the end of its escrow. */
function movementsOf(account: string, transaction: ListedTransaction): Unplaced[] {
  const { sender, recipient, content, escrow, hash } = transaction;
  const isSender = sender === account;
  const isRecipient = recipient === account;
  if (!isSender && !isRecipient && escrow?.approver !== account) return [];
  const row = (
    kind: string,
    tokenId: bigint,
    amount: bigint | undefined,
    counterparty = sender,
  ): Unplaced => ({
    kind,
    tokenId,
    amount,
    fee: isSender && kind !== 'commission' ? transaction.fee : 0n,
    counterparty: otherThan(account, counterparty),
    transactionHash: hash,
    transaction,
  });
  if (content.kind === 'other') return [row('other', COIN, undefined, isSender ? recipient : sender)];
  if (content.kind === 'decision') {
    return isSender
      ? [row(content.approval === EscrowDecision.Approve ? 'approval' : 'rejection', COIN, 0n)]
      : [];
  }
  const { amount } = content;
  const tokenId = content.kind === 'token' ? content.tokenId : COIN;
  if (escrow !== undefined) {
    if (!isSender) return [row('escrow', tokenId, 0n)];
    const deposit = row('escrow', tokenId, -amount, recipient);
    return escrow.commission === 0n
      ? [deposit]
      : [deposit, row('commission', COIN, -escrow.commission, escrow.approver)];
  }
  if (!isSender) return [row('received', tokenId, amount)];
  return [isRecipient ? row('self', tokenId, 0n) : row('sent', tokenId, -amount, recipient)];
}

/** What an account gets when an escrow ends, at the place of the end. */
function releasesOf(account: string, transaction: Activity, ending: EscrowEnding): Omit<Placed, 'status'>[] {
  const { sender, recipient, content, escrow, hash: transactionHash } = transaction;
  if (escrow === undefined || (content.kind !== 'coins' && content.kind !== 'token')) return [];
  const { outcome, height, position, blockTime: timestamp } = ending;
  const isApproved = outcome === 'approved';
  const tokenId = content.kind === 'token' ? content.tokenId : COIN;
  const rest = { fee: 0n, transactionHash, transaction, height, position, timestamp };
  const release = (kind: string, tokenId: bigint, amount: bigint, payee: string | undefined) => {
    const counterparty = isApproved ? sender : payee;
    const isOwn = (isApproved ? payee : sender) === account && amount > 0n;
    return isOwn ? [{ kind, tokenId, amount, counterparty: otherThan(account, counterparty), ...rest }] : [];
  };
  return [
    ...release(isApproved ? 'unlock' : 'refund', tokenId, content.amount, recipient),
    ...release(isApproved ? 'commission' : 'refund', COIN, escrow.commission, escrow.approver),
  ];
}

function otherThan(account: string, party: string | undefined): string | undefined {
  return party === account ? undefined : party;
}

/** Compares for sorting. Movements without a height come last. */
function comparePlaces(one: Placed, other: Placed): number {
  if (one.height === other.height) return one.position - other.position;
  return one.height === undefined || (other.height !== undefined && one.height > other.height) ? 1 : -1;
}
