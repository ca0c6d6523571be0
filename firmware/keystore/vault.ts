// The vault's record, which can be decrypted only with the PIN and the key of this chip
// (docs/KEYSTORE.md#with-a-vault).
import { computeHmac } from '../assembly/crypto/hmac-sha512';
import { beginPbkdf2, continuePbkdf2, PBKDF2_SIZE, pbkdf2Result } from '../assembly/crypto/pbkdf2';
import { wipeScratch } from '../assembly/crypto/scratch';
import { wipe } from '../assembly/crypto/wipe';
import {
  DONE,
  NOT_YET,
  vault_attempts,
  vault_begin_attempt,
  vault_clear_attempts,
  vault_erase,
  vault_read,
  vault_stretch,
  vault_write,
} from './hal';
import { closeAll, openSeed } from './menu';
import { deriveNoise } from './noise';
import { ERASED, go, MENU_TOP, OPENED, PASSPHRASE, VAULT_FAILED, WRONG_PIN } from './pages';
import { beginNewPin, MAX_ATTEMPTS } from './pin';
import {
  board,
  CHANGE_PIN,
  CREATE,
  DERIVED_LENGTH,
  derived,
  entropy,
  forgetAll,
  forgetEntry,
  holdsAny,
  NOISE_KEY_LENGTH,
  newProof,
  noiseKey,
  OPEN,
  oldProof,
  PIN_LENGTH,
  PROOF_LENGTH,
  pin,
  RECORD_LENGTH,
  RESTORE,
  state,
  stored,
  stretch,
  vaultKey,
} from './state';
import { during, endTask, TASK_ERASE, TASK_START, TASK_STORE, TASK_UNLOCK } from './task';
import { entropyLength, formWords } from './words';

// Layout of a record: version, salt, ciphertext of the word count and the entropy, tag.
const VERSION: u8 = 1;
const SALT_AT = 1;
const SALT = 16;
const CIPHER_AT = SALT_AT + SALT;
const PLAIN = 33;
const TAG_AT = CIPHER_AT + PLAIN;
const TAG = 32;

// The first byte of the input of an HMAC with the key, which distinguishes the uses of the key.
const FOR_CIPHER: u8 = 1;
const FOR_TAG: u8 = 2;
const FOR_PROOF: u8 = 3;
/** The first byte of the input from which the salt is derived; FOR_ORDER in pin.ts differs. */
const FOR_SALT: u8 = 2;

const ROUNDS_A_SLICE = 32;
const ROUNDS = 4096;
const SLICES = ROUNDS / ROUNDS_A_SLICE;
const KEY = 32;

// Steps of an unlock.
const READ = 0;
const COUNT = 1;
const ATTEMPT = 2;
const COUNT_AGAIN = 3;
const UNLOCK_STRETCH = 4;
const UNLOCK_KEY = UNLOCK_STRETCH + SLICES;
const JUDGE = UNLOCK_KEY + 1;
const CLEAR = JUDGE + 1;
const ERASE = CLEAR + 1;

// Steps of storing a record.
const FORM_SALT = 0;
const NEW_ATTEMPT = 1;
const NEW_STRETCH = 2;
const NEW_KEY = NEW_STRETCH + SLICES;
const WRITE = NEW_KEY + 1;
const CLEAR_NEW = WRITE + 1;

const HASHED = 1 + TAG_AT;
const hashed: usize = memory.data(HASHED + 3, 8);
const mac: usize = memory.data(64, 8);
const counted: usize = memory.data(8, 8);
const salted: usize = memory.data(SALT + 8, 8);

/**
 * Reads the vault's record at the start of the keystore. If the count of attempts is ten, the vault is erased
 * first.
 */
export function startSlice(): void {
  during(TASK_START);
  if (state.step === 0) {
    if (passes(vault_attempts(counted)) && takeCount() < MAX_ATTEMPTS) state.step = 2;
  } else if (state.step === 1) {
    passes(vault_erase());
  } else if (passes(vault_read(stored))) {
    // A record that no PIN can open is a record too, and only ten wrong PINs erase it.
    board.hasRecord = holdsAny(stored, RECORD_LENGTH);
    closeAll();
  }
}

/** Erases the record and the count of attempts. */
export function eraseSlice(): void {
  during(TASK_ERASE);
  if (!passes(vault_erase())) return;
  board.hasRecord = false;
  closeAll();
}

/** Tries the PIN after counting the attempt. */
export function unlockSlice(): void {
  during(TASK_UNLOCK);
  state.steps = ERASE;
  const step = state.step;
  if (step === READ) passes(vault_read(stored));
  else if (step === COUNT) readCount();
  else if (step === ATTEMPT) passes(vault_begin_attempt());
  else if (step === COUNT_AGAIN) checkCount();
  else if (step < UNLOCK_KEY) stretchPin(UNLOCK_STRETCH);
  else if (step === UNLOCK_KEY) takeKey();
  else if (step === JUDGE) judge();
  else if (step === CLEAR) clearAttempts();
  else eraseLast();
}

/** Stores the seed's entropy under a new PIN. */
export function storeSlice(): void {
  during(TASK_STORE);
  state.steps = CLEAR_NEW;
  const step = state.step;
  if (step === FORM_SALT) formSalt();
  else if (step === NEW_ATTEMPT) passes(vault_begin_attempt());
  else if (step < NEW_KEY) stretchPin(NEW_STRETCH);
  else if (step === NEW_KEY) takeKey();
  else if (step === WRITE) writeRecord();
  else endStore();
}

/**
 * Handles the return value of a function of the vault. DONE advances the step. NOT_YET repeats the step. A
 * failure ends the task, so that nothing is written or opened. Returns whether the value is DONE.
 */
function passes(answer: i32): bool {
  if (answer === DONE) state.step += 1;
  else if (answer !== NOT_YET) failVault();
  return answer === DONE;
}

function failVault(): void {
  forgetAll();
  go(VAULT_FAILED);
}

function readCount(): void {
  if (passes(vault_attempts(counted))) state.attempts = takeCount();
}

/** Fails unless the count of attempts has increased by one. In that case, the PIN is not tried. */
function checkCount(): void {
  if (!passes(vault_attempts(counted))) return;
  const count = takeCount();
  if (count !== state.attempts + 1 || count > MAX_ATTEMPTS) {
    failVault();
    return;
  }
  state.attempts = count;
}

/** Returns the count of attempts that the vault has written to `counted`, and erases it there. */
function takeCount(): u32 {
  const count = load<u32>(counted);
  store<u32>(counted, 0);
  return count;
}

/** Derives the salt of a record from the noise of the repeated PIN. */
function formSalt(): void {
  wipe(stored, RECORD_LENGTH);
  deriveNoise(FOR_SALT, 0);
  memory.copy(stored + SALT_AT, derived, SALT);
  wipe(derived, DERIVED_LENGTH);
  wipe(noiseKey, NOISE_KEY_LENGTH);
  state.step += 1;
}

/**
 * Computes 32 rounds of PBKDF2-HMAC-SHA-512. The password is the PIN in ASCII. `first` is the first such
 * step.
 */
function stretchPin(first: i32): void {
  if (state.step === first) {
    for (let i = 0; i < PIN_LENGTH; i++) store<u8>(hashed + i, 0x30 + load<u8>(pin + i));
    memory.copy(salted, stored + SALT_AT, SALT);
    beginPbkdf2(stretch, hashed, PIN_LENGTH, salted, SALT);
    wipe(hashed, PIN_LENGTH);
    wipe(salted, SALT + 8);
    continuePbkdf2(stretch, ROUNDS_A_SLICE - 1);
  } else {
    continuePbkdf2(stretch, ROUNDS_A_SLICE);
  }
  state.step += 1;
}

function takeKey(): void {
  wipe(vaultKey, KEY);
  const answer = vault_stretch(pbkdf2Result(stretch, ROUNDS), vaultKey);
  if (!passes(answer)) return;
  wipe(stretch, PBKDF2_SIZE);
  wipe(pin, PIN_LENGTH);
  let any: u64 = 0;
  for (let i = 0; i < KEY; i += 8) any |= load<u64>(vaultKey + i);
  // If vault_stretch had written nothing and this were not detected, the key would be the same for every PIN.
  if (any === 0) failVault();
}

/**
 * Decrypts the record if its tag is correct for this PIN. Otherwise reports a wrong PIN, or erases the vault.
 */
function judge(): void {
  if (isTagRight()) {
    decrypt();
    state.step = CLEAR;
  } else {
    wipe(vaultKey, KEY);
    if (state.attempts >= MAX_ATTEMPTS) {
      state.step = ERASE;
    } else {
      endTask();
      go(WRONG_PIN);
    }
  }
}

function isTagRight(): bool {
  formMac(FOR_TAG, TAG_AT);
  let difference: u64 = 0;
  for (let i = 0; i < TAG; i += 8) difference |= load<u64>(mac + i) ^ load<u64>(stored + TAG_AT + i);
  wipe(mac, 64);
  return difference === 0 && load<u8>(stored) === VERSION;
}

/**
 * Decrypts the record. Traps unless the tag is correct, so that a single fault cannot decrypt it with a wrong
 * PIN.
 */
function decrypt(): void {
  if (!isTagRight() || state.purpose === CREATE || state.purpose === RESTORE) unreachable();
  formMac(FOR_CIPHER, CIPHER_AT);
  for (let i = 0; i < PLAIN; i++) store<u8>(mac + i, load<u8>(mac + i) ^ load<u8>(stored + CIPHER_AT + i));
  const count = <i32>load<u8>(mac);
  if (count < 12 || count > 24 || count % 3 !== 0) unreachable();
  state.count = count;
  memory.copy(entropy, mac + 1, entropyLength(count));
  wipe(mac, 64);
  state.unlocked = OPEN;
}

function clearAttempts(): void {
  if (state.unlocked !== OPEN) unreachable();
  formProof(oldProof);
  if (!passes(vault_clear_attempts(oldProof))) return;
  wipe(vaultKey, KEY);
  formWords();
  endTask();
  if (state.purpose === CHANGE_PIN) {
    beginNewPin();
  } else {
    wipe(oldProof, PROOF_LENGTH);
    go(PASSPHRASE);
  }
}

function eraseLast(): void {
  if (!passes(vault_erase())) return;
  forgetAll();
  board.hasRecord = false;
  go(ERASED);
}

function writeRecord(): void {
  store<u8>(stored, VERSION);
  formMac(FOR_CIPHER, CIPHER_AT);
  const length = entropyLength(state.count);
  store<u8>(stored + CIPHER_AT, load<u8>(mac) ^ <u8>state.count);
  for (let i = 0; i < PLAIN - 1; i++) {
    const plain: u8 = i < length ? load<u8>(entropy + i) : 0;
    store<u8>(stored + CIPHER_AT + 1 + i, load<u8>(mac + 1 + i) ^ plain);
  }
  formMac(FOR_TAG, TAG_AT);
  memory.copy(stored + TAG_AT, mac, TAG);
  wipe(mac, 64);
  formProof(newProof);
  passes(vault_write(stored, oldProof, newProof));
}

function endStore(): void {
  if (!passes(vault_clear_attempts(newProof))) return;
  board.hasRecord = true;
  endTask();
  if (state.purpose !== CHANGE_PIN) {
    openSeed();
    return;
  }
  forgetEntry();
  go(OPENED, MENU_TOP);
}

/** Writes the proof that the PIN of the record is known. */
function formProof(proof: usize): void {
  store<u8>(hashed, FOR_PROOF);
  memory.copy(hashed + 1, stored + SALT_AT, SALT);
  computeHmac(mac, vaultKey, KEY, hashed, 1 + SALT);
  wipeScratch();
  wipe(hashed, HASHED);
  memory.copy(proof, mac, PROOF_LENGTH);
  wipe(mac, 64);
}

/**
 * Writes HMAC-SHA-512 with the key to `mac`. The input is `purpose` and the first `length` bytes of the
 * record.
 */
function formMac(purpose: u8, length: i32): void {
  store<u8>(hashed, purpose);
  memory.copy(hashed + 1, stored, length);
  computeHmac(mac, vaultKey, KEY, hashed, 1 + length);
  wipeScratch();
  wipe(hashed, HASHED);
}
