import { MAX_ACCOUNT_INDEX, SEED } from '../../../protocol/limits';
import { INTERNAL, LOCKED, OK } from '../../../protocol/status-words';
import { deriveKey, publicKey, sign, wipe } from '../crypto/crypto';
import { seed } from '../hal';
import { ownAccount } from '../session';

const KEY = 32;

// Hold secrets only while one of the functions below runs.
const seedBytes: usize = memory.data(SEED, 8);
const key: usize = memory.data(KEY, 8);

/** Whether an account index can be hardened (signer-protocol §1). */
export function isAccountIndex(account: u32): bool {
  return account <= <u32>MAX_ACCOUNT_INDEX;
}

/** Whether the platform has no seed to give. */
export function isLocked(): bool {
  const given = seed(seedBytes);
  wipe(seedBytes, SEED);
  return given === 0;
}

/** Derives the own account of an index, 36 bytes, into the session; OK or LOCKED. */
export function loadOwnAccount(account: u32): i32 {
  if (!openKey(account)) return LOCKED;
  store<u32>(ownAccount, 0);
  publicKey(ownAccount + 4, key);
  wipe(key, KEY);
  return OK;
}

/** Signs with the key of an account and writes 64 bytes to `out`: OK, LOCKED, or INTERNAL when the signature does not verify. */
export function signAs(account: u32, out: usize, message: usize, length: i32): i32 {
  if (!openKey(account)) return LOCKED;
  const verified = sign(out, message, length, key);
  wipe(key, KEY);
  return verified ? OK : INTERNAL;
}

function openKey(account: u32): bool {
  const given = seed(seedBytes) !== 0;
  if (given) deriveKey(key, seedBytes, account);
  wipe(seedBytes, SEED);
  return given;
}
