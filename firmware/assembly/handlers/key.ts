import { ACCOUNT_LENGTH, MAX_ACCOUNT_INDEX, SEED_LENGTH } from '../../../protocol/src/limits';
import { INTERNAL, LOCKED, OK } from '../../../protocol/src/status-words';
import { deriveKey, publicKey, SIGNED, sign, WRONG_KEY, wipe } from '../crypto/crypto';
import { locked, seed } from '../hal';
import { ownAccount } from '../session';

const KEY = 32;

// These hold secrets only while one of the functions below runs.
const seedBytes: usize = memory.data(SEED_LENGTH, 8);
const key: usize = memory.data(KEY, 8);
const account: usize = memory.data(ACCOUNT_LENGTH, 8);

/** Whether an account index can be hardened (docs/APDU.md#commands). */
export function isAccountIndex(account: u32): bool {
  return account <= <u32>MAX_ACCOUNT_INDEX;
}

export function isLocked(): bool {
  return locked() !== 0;
}

/** Derives the own account of an index, 36 bytes, into the session; OK or LOCKED. */
export function loadOwnAccount(index: u32): i32 {
  return deriveAccount(ownAccount, index) ? OK : LOCKED;
}

/** Whether the session's own account still belongs to this index; OK or LOCKED. */
export function checkOwnAccount(index: u32): i32 {
  if (!deriveAccount(account, index)) return LOCKED;
  const isSame = memory.compare(account, ownAccount, ACCOUNT_LENGTH) === 0;
  wipe(account, ACCOUNT_LENGTH);
  return isSame ? OK : LOCKED;
}

/**
 * Signs with the key of an account and writes 64 bytes to `out`; returns OK. LOCKED: nothing was signed,
 * because the platform has no seed, or one with another account than the session's. INTERNAL: the signature
 * does not verify.
 */
export function signAs(index: u32, out: usize, message: usize, length: i32): i32 {
  if (!openKey(index)) return LOCKED;
  const outcome = sign(out, message, length, key, ownAccount + 4);
  wipe(key, KEY);
  if (outcome === SIGNED) return OK;
  return outcome === WRONG_KEY ? LOCKED : INTERNAL;
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
