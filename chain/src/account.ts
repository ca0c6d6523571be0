import { PUBLIC_KEY_LENGTH } from '@zbc-signer/protocol/limits';
import { decodeAddress, encodeAddress } from './address.js';
import { requireString, ZbcSignerError } from './error.js';
import { fromHex, toHex } from './hex.js';

/** A sender, recipient or approver; the kind determines the length of `payload`. */
export interface Account {
  kind: number;
  payload: Uint8Array;
}

/** The kind of an account with an Ed25519 key. A signer signs only for accounts of this kind. */
export const KIND_ZBC = 0;
/** The kind that stands for no account. */
export const KIND_NONE = 2;
/** Length of a kind on the wire, which is a u32. */
export const KIND_BYTES = 4;

interface AccountKind {
  name: string;
  payloadLength: number;
}

/** The chain's account kinds, indexed by number. */
export const ACCOUNT_KINDS: readonly AccountKind[] = [
  { name: 'ZBC', payloadLength: 32 },
  { name: 'Bitcoin', payloadLength: 20 },
  { name: 'none', payloadLength: 0 },
  { name: 'Estonian eID', payloadLength: 32 },
  { name: 'Ethereum', payloadLength: 20 },
  { name: 'Bitcoin P2PKH', payloadLength: 20 },
  { name: 'Bitcoin P2SH', payloadLength: 20 },
  { name: 'Bitcoin P2WPKH', payloadLength: 20 },
  { name: 'Bitcoin P2WSH', payloadLength: 32 },
  { name: 'Bitcoin Taproot', payloadLength: 32 },
  { name: 'Dataset', payloadLength: 32 },
  { name: 'Solana', payloadLength: 32 },
  { name: 'Polkadot', payloadLength: 32 },
  { name: 'Cardano', payloadLength: 28 },
  { name: 'XRP', payloadLength: 20 },
  { name: 'Tron', payloadLength: 20 },
  { name: 'Tezos', payloadLength: 20 },
];

/** No recipient, or no escrow: `02 00 00 00` on the wire. */
export const NO_ACCOUNT: Account = { kind: KIND_NONE, payload: new Uint8Array(0) };

/** Returns `u32le(kind)` followed by the payload; throws `ACCOUNT_KIND` or `ACCOUNT_LENGTH`. */
export function encodeAccount(account: Account): Uint8Array {
  checkPayload(account);
  const bytes = new Uint8Array(KIND_BYTES + account.payload.length);
  new DataView(bytes.buffer).setUint32(0, account.kind, true);
  bytes.set(account.payload, KIND_BYTES);
  return bytes;
}

/** Returns the account of a 32-byte Ed25519 public key. */
export function accountFromPublicKey(publicKey: Uint8Array): Account {
  const account = { kind: KIND_ZBC, payload: Uint8Array.from(publicKey) };
  checkPayload(account);
  return account;
}

/**
 * Parses the hex of an account's wire form. Throws `ACCOUNT_…`, or `INVALID_INPUT` if the text is not hex.
 */
export function accountFromHex(hex: string): Account {
  const bytes = fromHex(hex);
  if (bytes.length < KIND_BYTES) {
    throw new ZbcSignerError(
      'ACCOUNT_LENGTH',
      `an account is at least ${KIND_BYTES} bytes, not ${bytes.length}`,
    );
  }
  const account = { kind: new DataView(bytes.buffer).getUint32(0, true), payload: bytes.slice(KIND_BYTES) };
  checkPayload(account);
  return account;
}

/**
 * Parses a `ZBC_` address in any of its forms, or the wire form in hex. Throws `ADDRESS_…` or `ACCOUNT_…`.
 */
export function parseAccount(text: string): Account {
  requireString('account', text);
  const trimmed = text.trim();
  if (!/^(0x)?([0-9a-f]{2}){4,36}$/i.test(trimmed)) return accountFromPublicKey(decodeAddress(trimmed));
  const account = accountFromHex(trimmed);
  if (account.kind === KIND_NONE)
    throw new ZbcSignerError('ACCOUNT_NONE', 'the account 02000000 stands for no account');
  return account;
}

/** Formats an account as the signer shows it: as an address, or as the kind's name and the payload in hex. */
export function formatAccount(account: Account): string {
  checkPayload(account);
  const { kind, payload } = account;
  if (kind === KIND_ZBC) return encodeAddress(payload);
  return `${ACCOUNT_KINDS[kind]?.name} ${toHex(payload)}`.trimEnd();
}

/** Formats an account as `parseAccount` reads it: as an address, or as the wire form in lower-case hex. */
export function accountText(account: Account): string {
  return account.kind === KIND_ZBC ? formatAccount(account) : toHex(encodeAccount(account));
}

/** Returns whether two accounts have the same kind and payload. */
export function sameAccount(one: Account, other: Account): boolean {
  return one.kind === other.kind && toHex(one.payload) === toHex(other.payload);
}

/** Returns whether the wire form of this kind has exactly 36 bytes, as that of an escrow's approver must. */
export function hasKeySizedPayload(kind: number): boolean {
  return ACCOUNT_KINDS[kind]?.payloadLength === PUBLIC_KEY_LENGTH;
}

function checkPayload({ kind, payload }: Account): void {
  const known = ACCOUNT_KINDS[kind];
  if (known === undefined) {
    throw new ZbcSignerError(
      'ACCOUNT_KIND',
      `unknown account kind ${kind}; an address is ZBC_ and seven groups of eight letters and digits`,
    );
  }
  const { name, payloadLength } = known;
  if (payload.length === payloadLength) return;
  throw new ZbcSignerError(
    'ACCOUNT_LENGTH',
    `the payload of account kind ${kind} (${name}) must have ${payloadLength} bytes, but has ${payload.length}`,
  );
}
