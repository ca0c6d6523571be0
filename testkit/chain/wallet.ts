// Builds and signs transactions without the code under test: it follows docs/TRANSACTION.md and uses Node's
// crypto.
import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { u32, u64 } from '../crypto/little-endian.js';
import { sha3 } from '../crypto/sha3.js';

const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');
const TAG = Buffer.from([0x5a, 0x42, 0x43, 0x2d, 0x54, 0x58]);

export class Wallet {
  readonly #key: KeyObject;
  readonly publicKey: Buffer;
  /** The 36 bytes of the account. */
  readonly account: Buffer;
  readonly hex: string;

  constructor(seed: Uint8Array) {
    this.#key = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' });
    this.publicKey = createPublicKey(this.#key).export({ format: 'der', type: 'spki' }).subarray(-32);
    this.account = Buffer.concat([Buffer.alloc(4), this.publicKey]);
    this.hex = this.account.toString('hex');
  }

  static numbered(number: number): Wallet {
    return new Wallet(Buffer.alloc(32, number));
  }

  sign(genesis: Uint8Array, unsigned: Uint8Array): Buffer {
    return sign(null, sha3(TAG, genesis, unsigned), this.#key);
  }
}

export interface DraftEscrow {
  approver: Buffer;
  commission: bigint;
  timeout: bigint;
  instruction?: string;
  multiParty?: boolean;
}

export interface Draft {
  version: bigint;
  timestamp: bigint;
  type: bigint;
  fee: bigint;
  sender: Buffer;
  recipient: Buffer;
  body: Buffer;
  escrow?: DraftEscrow;
  message: Buffer;
}

export type Fields = Record<string, unknown>;

export function i64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(value);
  return bytes;
}

export const NO_ACCOUNT = Buffer.from('02000000', 'hex');

function encodeDraft({ escrow, ...draft }: Draft): Buffer {
  return Buffer.concat([
    u32(Number(draft.type)),
    Buffer.from([Number(draft.version)]),
    u64(draft.timestamp),
    draft.sender,
    draft.recipient,
    u64(draft.fee),
    u32(draft.body.length),
    draft.body,
    escrow ? encodeDraftEscrow(escrow) : NO_ACCOUNT,
    u32(draft.message.length),
    draft.message,
  ]);
}

function encodeDraftEscrow({
  approver,
  commission,
  timeout,
  instruction = '',
  multiParty = false,
}: DraftEscrow) {
  const text = Buffer.from(instruction, 'utf8');
  return Buffer.concat([
    approver,
    u64(commission),
    u64(timeout),
    u32(text.length),
    text,
    Buffer.from([Number(multiParty)]),
  ]);
}

/** Returns the fields of docs/gateway/routes.md#broadcast-request, with a given signature. */
export function fieldsOf({ escrow, ...draft }: Draft, signature: Buffer): Fields {
  return {
    version: draft.version,
    timestamp: draft.timestamp,
    transaction_type: draft.type,
    fee: draft.fee,
    sender_account_address: draft.sender.toString('hex'),
    recipient_account_address: draft.recipient.toString('hex'),
    transaction_body_bytes: draft.body.toString('hex'),
    signature: signature.toString('hex'),
    ...(draft.message.length > 0 && { message_hex: draft.message.toString('hex') }),
    ...(escrow && { escrow: escrowFieldsOf(escrow) }),
  };
}

function escrowFieldsOf({ approver, commission, timeout, instruction, multiParty }: DraftEscrow): Fields {
  return {
    approver_address: approver.toString('hex'),
    commission,
    timeout,
    ...(instruction && { instruction }),
    ...(multiParty && { multi_party: true }),
  };
}

export interface Signed {
  fields: Fields;
  unsigned: Buffer;
  signature: Buffer;
  /** Transaction hash in lower-case hex. */
  hash: string;
}

export function signDraft(draft: Draft, signer: Wallet, genesis: Uint8Array): Signed {
  const unsigned = encodeDraft(draft);
  const signature = signer.sign(genesis, unsigned);
  return {
    fields: fieldsOf(draft, signature),
    unsigned,
    signature,
    hash: sha3(unsigned, signature).toString('hex'),
  };
}
