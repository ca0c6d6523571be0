import { ACCOUNT_LENGTH, MAX_ACCOUNT_INDEX, SEED_LENGTH } from '../../../protocol/src/limits';
import { INTERNAL, LOCKED, MALFORMED, OK } from '../../../protocol/src/status-words';
import {
  commit,
  deriveKey,
  isContactProof,
  NOT_COMMITTED,
  proveContact,
  publicKey,
  SIGNED,
  sign,
  signRevealed,
  WRONG_KEY,
  wipe,
} from '../crypto/crypto';
import { locked, seed } from '../hal';
import { commitment, ownAccount } from '../session';

const KEY = 32;

// `seedBytes` and `key` hold secrets only while a function of this file runs.
const seedBytes: usize = memory.data(SEED_LENGTH, 8);
const key: usize = memory.data(KEY, 8);
const account: usize = memory.data(ACCOUNT_LENGTH, 8);

/** Returns whether an account index is within the range of hardened indexes (docs/APDU.md#commands). */
export function isAccountIndex(account: u32): bool {
  return account <= <u32>MAX_ACCOUNT_INDEX;
}

export function isLocked(): bool {
  return locked() !== 0;
}

/**
 * Derives the 36-byte account of an index and stores it as `ownAccount` of the session. Returns OK or LOCKED.
 */
export function loadOwnAccount(index: u32): i32 {
  return deriveAccount(ownAccount, index) ? OK : LOCKED;
}

/** Writes the 32-byte public key of an index to `out`, without a change of the session. Returns OK or LOCKED. */
export function writePublicKey(out: usize, index: u32): i32 {
  if (!deriveAccount(account, index)) return LOCKED;
  memory.copy(out, account + 4, KEY);
  wipe(account, ACCOUNT_LENGTH);
  return OK;
}

/** Returns OK if `ownAccount` of the session is still the account of this index, and LOCKED otherwise. */
export function checkOwnAccount(index: u32): i32 {
  if (!deriveAccount(account, index)) return LOCKED;
  const isSame = memory.compare(account, ownAccount, ACCOUNT_LENGTH) === 0;
  wipe(account, ACCOUNT_LENGTH);
  return isSame ? OK : LOCKED;
}

/**
 * Signs with the key of an account, writes the 64 bytes to `out`, and returns OK. Returns LOCKED and signs
 * nothing if the platform has no seed, or if the account differs from that of the session. Returns INTERNAL
 * if the signature does not verify.
 */
export function signAs(index: u32, out: usize, message: usize, length: i32): i32 {
  if (!openKey(index)) return LOCKED;
  const outcome = sign(out, message, length, key, ownAccount + 4);
  wipe(key, KEY);
  return statusOf(outcome);
}

/**
 * Fixes the device's part of the nonce for the commitment of the session, and writes its point of 32 bytes to `out`.
 * Returns OK or LOCKED, as `signAs`.
 */
export function commitAs(index: u32, out: usize, message: usize, length: i32): i32 {
  if (!openKey(index)) return LOCKED;
  const outcome = commit(out, commitment, message, length, key, ownAccount + 4);
  wipe(key, KEY);
  return statusOf(outcome);
}

/**
 * Signs like `signAs`, with a nonce to which the 32 bytes at `revealed` contribute. Returns MALFORMED if `commitment`
 * of the session does not have the point that `commitAs` gives for these bytes.
 */
export function signRevealedAs(index: u32, out: usize, message: usize, length: i32, revealed: usize): i32 {
  if (!openKey(index)) return LOCKED;
  const outcome = signRevealed(out, message, length, key, ownAccount + 4, revealed, commitment);
  wipe(key, KEY);
  return statusOf(outcome);
}

function statusOf(outcome: u32): i32 {
  if (outcome === SIGNED) return OK;
  if (outcome === NOT_COMMITTED) return MALFORMED;
  return outcome === WRONG_KEY ? LOCKED : INTERNAL;
}

/**
 * Writes the 32-byte proof of the contact in a message of handlers/contact.ts to `out`. Returns OK or LOCKED.
 */
export function proveContactTo(out: usize, message: usize, length: i32): i32 {
  const given = seed(seedBytes) !== 0;
  if (given) proveContact(out, seedBytes, message, length);
  wipe(seedBytes, SEED_LENGTH);
  return given ? OK : LOCKED;
}

/** Returns whether `proof` is that of the contact in a message, and the platform has a seed. */
export function isProvedContact(proof: usize, message: usize, length: i32): bool {
  const isProved = seed(seedBytes) !== 0 && isContactProof(proof, seedBytes, message, length);
  wipe(seedBytes, SEED_LENGTH);
  return isProved;
}

function deriveAccount(out: usize, index: u32): bool {
  if (!openKey(index)) return false;
  store<u32>(out, 0);
  publicKey(out + 4, key);
  wipe(key, KEY);
  return true;
}

function openKey(index: u32): bool {
  const given = seed(seedBytes) !== 0;
  if (given) deriveKey(key, seedBytes, index);
  wipe(seedBytes, SEED_LENGTH);
  return given;
}
