import { formatCoinAmount, toHex } from '@zbc-signer/chain';
import { MAX_MESSAGE } from '@zbc-signer/protocol/limits';
import { ValidationError } from '../../errors.js';
import { COIN, findToken } from '../genesis.js';
import type { Broadcast } from '../transaction/broadcast.js';
import { costOf, minimumFeeAtoms } from '../transaction/cost.js';
import { checkApprover, type Decision, type Operation, parseOperation } from '../transaction/operation.js';
import { accountExists, type LedgerReader, readBalance, spendable } from './ledger.js';

/** Maximum difference between a transaction's timestamp and the node's time (docs/TRANSACTION.md#limits). */
export const WINDOW_SECONDS = 3600n;

/** The state of the node on which the rules depend. Times are in Unix seconds. */
export interface Conditions {
  /** The node's clock. */
  timestamp: bigint;
  /** Time of the newest block. The next block is never earlier, even if the clock is set back. */
  blockTimestamp: bigint;
  /** Factor of the base of the minimum fee. */
  feeScale: bigint;
}

/** The input of a rule. */
interface Context extends Conditions {
  store: LedgerReader;
  broadcast: Broadcast;
  sender: string;
}

type EarlyRule = (context: Context) => void;
type Rule = (context: Context, operation: Operation) => void;

/** Rules that do not depend on the body. They run before it is parsed. */
const EARLY_RULES: readonly EarlyRule[] = [checkVersion, checkSender, checkFee];
const RULES: readonly Rule[] = [
  checkCoins,
  checkWindow,
  checkMessage,
  checkToken,
  checkEscrow,
  checkDecision,
];

/**
 * Checks the rules in this order, after the signature was checked. The first broken rule throws its
 * ValidationError.
 */
export function checkRules(store: LedgerReader, conditions: Conditions, broadcast: Broadcast): Operation {
  const context = { store, ...conditions, broadcast, sender: toHex(broadcast.sender) };
  for (const check of EARLY_RULES) check(context);
  const operation = parseOperation(broadcast);
  for (const check of RULES) check(context, operation);
  return operation;
}

function checkVersion({ broadcast }: Context): void {
  if (broadcast.version !== 1n) throw new ValidationError('transaction version must be 1');
}

function checkSender({ store, sender }: Context): void {
  if (!accountExists(store, sender)) throw new ValidationError('sender account does not exist');
}

function checkFee({ broadcast, feeScale }: Context): void {
  const minimum = minimumFeeAtoms(BigInt(broadcast.body.length), feeScale);
  if (broadcast.fee < minimum) {
    throw new ValidationError(`fee too low: ${broadcast.fee} given, at least ${minimum} needed`);
  }
}

function checkCoins({ store, broadcast, sender }: Context, operation: Operation): void {
  const [coins] = costOf(broadcast, operation);
  const available = spendable(readBalance(store, sender, COIN));
  if (coins.amount > available) {
    const shown = `${formatCoinAmount(coins.amount)} needed, ${formatCoinAmount(available)} spendable`;
    throw new ValidationError(`insufficient balance: ${shown}`);
  }
}

function checkWindow({ timestamp, broadcast }: Context): void {
  const age = timestamp - broadcast.timestamp;
  if (age > WINDOW_SECONDS || -age > WINDOW_SECONDS) {
    const side = age > 0n ? 'old' : 'far ahead';
    throw new ValidationError(
      `timestamp too ${side}: it must be within ${WINDOW_SECONDS} seconds of the node's time ${timestamp}`,
    );
  }
}

function checkMessage({ broadcast }: Context): void {
  if (broadcast.message.length > MAX_MESSAGE) {
    throw new ValidationError(`message is ${broadcast.message.length} bytes, at most ${MAX_MESSAGE} allowed`);
  }
}

function checkToken({ store, sender }: Context, operation: Operation): void {
  if (operation.kind !== 'payment' || operation.tokenId === COIN) return;
  const { tokenId, amount } = operation;
  if (findToken(tokenId) === undefined) throw new ValidationError(`token ${tokenId} does not exist`);
  const available = spendable(readBalance(store, sender, tokenId));
  if (amount > available) {
    const shown = `${amount} atomic units needed, ${available} spendable`;
    throw new ValidationError(`insufficient balance of token ${tokenId}: ${shown}`);
  }
}

function checkEscrow({ timestamp, blockTimestamp, broadcast }: Context): void {
  const { escrow, timestamp: signedAt } = broadcast;
  if (escrow === undefined) return;
  checkApprover(escrow.approver);
  if (escrow.timeout <= signedAt) {
    throw new ValidationError("escrow timeout must be after the transaction's timestamp");
  }
  if (escrow.timeout <= timestamp) throw new ValidationError('escrow timeout has passed');
  if (escrow.timeout <= blockTimestamp) {
    throw new ValidationError(`escrow timeout is not after the newest block's time ${blockTimestamp}`);
  }
}

function checkDecision({ store, timestamp, sender }: Context, operation: Operation): void {
  if (operation.kind === 'decision') {
    checkHeld(store, timestamp, operation);
    checkDecider(store, sender, operation);
  }
}

function checkHeld(store: LedgerReader, timestamp: bigint, { escrowHash }: Decision): void {
  const escrow = store.escrows.get(escrowHash);
  if (escrow === undefined) {
    throw new ValidationError('escrow does not exist: no confirmed transaction with an escrow has that hash');
  }
  if (escrow.state !== 'held') throw new ValidationError(`escrow is already ${escrow.state}`);
  if (escrow.decision !== undefined) {
    throw new ValidationError('escrow is already decided by a transaction that waits for its block');
  }
  if (timestamp > escrow.timeout) throw new ValidationError('escrow has expired');
}

function checkDecider(store: LedgerReader, sender: string, { escrowHash }: Decision): void {
  if (store.escrows.get(escrowHash)?.approver !== sender) {
    throw new ValidationError("sender is not the escrow's approver");
  }
}
