import { SETTINGS_LENGTH } from '../../../protocol/src/limits';
import { sha3_256 } from '../crypto/crypto';
import { settings_load, settings_store } from '../hal';
import { menu, settings } from '../session';

// Layout of the 16 stored bytes: mark, version, a byte for each setting, zeros, and the first bytes of the
// SHA3-256 of all preceding bytes.
const MARK: u8 = 0x5a;
const VERSION_AT = 1;
const VERSION: u8 = 1;
const UNKNOWN_CHAINS_AT = 2;
const DETAILS_AT = 3;
const CONTACTS_ONLY_AT = 4;
const CHECK_AT = 12;

const hash: usize = memory.data(32, 8);

/**
 * Loads the stored settings. If nothing is stored, or if the stored bytes are invalid, all settings are off.
 */
export function loadSettings(): void {
  const isStored = settings_load(settings, SETTINGS_LENGTH) !== 0;
  const isIntact =
    load<u8>(settings) === MARK &&
    load<u8>(settings, VERSION_AT) === VERSION &&
    load<u32>(settings, CHECK_AT) === checkOfSettings();
  menu.settingsReset = isStored && !isIntact;
  if (isStored && isIntact) return;
  memory.fill(settings, 0, SETTINGS_LENGTH);
  store<u8>(settings, MARK);
  store<u8>(settings, VERSION, VERSION_AT);
}

/** Returns whether the user has turned on "refuse unknown chains" (docs/TRANSACTION.md#signer-rules 5). */
export function refusesUnknownChains(): bool {
  return load<u8>(settings, UNKNOWN_CHAINS_AT) !== 0;
}

export function toggleUnknownChains(): void {
  toggle(UNKNOWN_CHAINS_AT);
}

/** Returns whether the user has turned on the detail items, which reviews otherwise omit. */
export function showsDetails(): bool {
  return load<u8>(settings, DETAILS_AT) !== 0;
}

export function toggleDetails(): void {
  toggle(DETAILS_AT);
}

/** Returns whether the user allows payments to contacts and own accounts only. */
export function paysContactsOnly(): bool {
  return load<u8>(settings, CONTACTS_ONLY_AT) !== 0;
}

export function toggleContactsOnly(): void {
  toggle(CONTACTS_ONLY_AT);
}

function toggle(at: i32): void {
  store<u8>(settings + at, load<u8>(settings + at) !== 0 ? 0 : 1);
  store<u32>(settings, checkOfSettings(), CHECK_AT);
  settings_store(settings, SETTINGS_LENGTH);
  menu.settingsReset = false;
}

function checkOfSettings(): u32 {
  sha3_256(hash, settings, CHECK_AT);
  return load<u32>(hash);
}
