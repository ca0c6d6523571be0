import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { RequestError } from '../../gateway/src/errors.js';
import { type Broadcast, parseBroadcast } from '../../gateway/src/node/broadcast.js';
import { checkSignature } from '../../gateway/src/node/envelope.js';
import { GENESIS_HASH, GENESIS_TIMESTAMP } from '../../gateway/src/node/genesis.js';
import type { LedgerReader } from '../../gateway/src/node/ledger.js';
import type { Operation } from '../../gateway/src/node/operation.js';
import { checkRules } from '../../gateway/src/node/rules.js';
import { type Layout, layoutsOf } from './layout.js';
import { nameFields } from './naming.js';

/** One way to name the bytes that the node takes, and what it then does. */
export interface Taken {
  layout: Layout;
  operation: Operation;
}

/** `refused` has the node's words for every other way of naming the bytes, or why there is none. */
export interface NodeVerdict {
  taken: Taken[];
  refused: string[];
}

const RICHES = 2n ** 200n;
const NEVER = 2n ** 64n;
const SENDER_KEY_AT = 17;
const PUBLIC_KEY = 32;

/** Everyone is rich and every escrow waits for this sender's decision: only the form of a transaction can be wrong. */
function generousLedger(approver: string): LedgerReader {
  const purse = { balance: RICHES, pending: 0n, held: 0n };
  const held = { state: 'held', sender: '', recipient: '', tokenId: 0n, amount: 0n, commission: 0n } as const;
  return { purses: { get: () => purse }, escrows: { get: () => ({ ...held, approver, timeout: NEVER }) } };
}

/** The development network's validation, asked with the fields named in every possible way and the bytes' own signature. */
export class NodeJudge {
  readonly #keys = new Map<string, KeyObject>();
  readonly #first: KeyObject;

  /** Signs with the sender's key where it is one of these, else with the first. */
  constructor(keys: readonly KeyObject[]) {
    for (const key of keys) {
      const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
      this.#keys.set(spki.subarray(-PUBLIC_KEY).toString('hex'), key);
    }
    this.#first = keys[0]!;
  }

  judge(bytes: Buffer): NodeVerdict {
    const layouts = layoutsOf(bytes);
    if (layouts.length === 0) {
      return { taken: [], refused: ['the bytes are not 11 fields'] };
    }
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
    const hash = createHash('sha3-256').update('ZBC-TX').update(GENESIS_HASH).update(bytes);
    return sign(null, hash.digest(), this.#keys.get(sender) ?? this.#first);
  }
}

/** What the node would do, or its words when it refuses. */
function ask(layout: Layout, signature: Buffer): Operation | string {
  const naming = nameFields(layout, signature);
  if ('unnamed' in naming) {
    return naming.unnamed;
  }
  try {
    const broadcast = parseBroadcast(naming.fields);
    checkSignature(GENESIS_HASH, broadcast);
    return checkRules(
      generousLedger(Buffer.from(broadcast.sender).toString('hex')),
      clockOf(broadcast),
      broadcast,
    );
  } catch (error) {
    if (error instanceof RequestError) {
      return error.message;
    }
    throw error;
  }
}

/** The node's clock stands at the transaction's own time, so that its window is open; no clock stands at 0. */
function clockOf({ timestamp }: Broadcast): bigint {
  return timestamp === 0n ? GENESIS_TIMESTAMP : timestamp;
}
