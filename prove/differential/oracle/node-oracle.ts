import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { RequestError } from '@zbc-signer/gateway/server';
import { DEVNET_GENESIS_HASH, GENESIS_TIMESTAMP } from '#devnet/node/genesis.js';
import type { LedgerReader } from '#devnet/node/ledger/ledger.js';
import { type Conditions, checkRules } from '#devnet/node/ledger/rules.js';
import { type Broadcast, parseBroadcast } from '#devnet/node/transaction/broadcast.js';
import type { Operation } from '#devnet/node/transaction/operation.js';
import { verifyBroadcast } from '#devnet/node/transaction/signed-transaction.js';
import { type Layout, layoutsOf } from '../case/layout.js';
import { nameFields } from './naming.js';

/** An interpretation that the node accepts, with the resulting operation. */
export interface AcceptedLayout {
  layout: Layout;
  operation: Operation;
}

/**
 * `refused` has the node's error for each refused interpretation, or says that there is no interpretation.
 */
export interface NodeVerdict {
  taken: AcceptedLayout[];
  refused: string[];
}

const GENESIS = Buffer.from(DEVNET_GENESIS_HASH, 'hex');
const RICHES = 2n ** 200n;
const NEVER = 2n ** 64n;
const SENDER_KEY_AT = 17;
const PUBLIC_KEY = 32;

/**
 * Returns a ledger in which every balance suffices and every escrow awaits this approver, so that only a
 * transaction's form can be invalid.
 */
function generousLedger(approver: string): LedgerReader {
  const balance = { balance: RICHES, pending: 0n, held: 0n };
  const held = { state: 'held', sender: '', recipient: '', tokenId: 0n, amount: 0n, commission: 0n } as const;
  return {
    balances: { get: () => balance },
    escrows: { get: () => ({ ...held, approver, timeout: NEVER }) },
  };
}

/** Validates every interpretation of the bytes as the development network does, with a valid signature. */
export class NodeOracle {
  readonly #keys = new Map<string, KeyObject>();
  readonly #first: KeyObject;

  /** Signs with the sender's key if it is one of `keys`, and with the first of them otherwise. */
  constructor(keys: readonly KeyObject[]) {
    for (const key of keys) {
      const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
      this.#keys.set(spki.subarray(-PUBLIC_KEY).toString('hex'), key);
    }
    this.#first = keys[0]!;
  }

  verdict(bytes: Buffer): NodeVerdict {
    const layouts = layoutsOf(bytes);
    if (layouts.length === 0)
      return { taken: [], refused: ['the bytes cannot be divided into the 11 fields'] };
    const signature = this.#sign(bytes);
    const verdict: NodeVerdict = { taken: [], refused: [] };
    for (const layout of layouts) {
      const operation = ask(layout, signature);
      if (typeof operation === 'string') verdict.refused.push(operation);
      else verdict.taken.push({ layout, operation });
    }
    return verdict;
  }

  #sign(bytes: Buffer): Buffer {
    const sender = bytes.subarray(SENDER_KEY_AT, SENDER_KEY_AT + PUBLIC_KEY).toString('hex');
    const hash = createHash('sha3-256').update('ZBC-TX').update(GENESIS).update(bytes);
    return sign(null, hash.digest(), this.#keys.get(sender) ?? this.#first);
  }
}

/** Returns the node's operation, or its error message. */
function ask(layout: Layout, signature: Buffer): Operation | string {
  const naming = nameFields(layout, signature);
  if ('unnamed' in naming) return naming.unnamed;
  try {
    const { broadcast } = verifyBroadcast(GENESIS, parseBroadcast(naming.fields));
    return checkRules(
      generousLedger(Buffer.from(broadcast.sender).toString('hex')),
      timesOf(broadcast),
      broadcast,
    );
  } catch (error) {
    if (error instanceof RequestError) return error.message;
    throw error;
  }
}

/**
 * The node's clock and its newest block have the transaction's timestamp, so that the transaction is not too
 * early or too late. The clock is never 0.
 */
function timesOf({ timestamp: signedAt }: Broadcast): Conditions {
  const timestamp = signedAt === 0n ? GENESIS_TIMESTAMP : signedAt;
  return { timestamp, blockTimestamp: timestamp, feeScale: 1n };
}
