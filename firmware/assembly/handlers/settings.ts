import { SETTINGS } from '../../../protocol/limits';
import { settings_load, settings_store } from '../hal';
import { settings } from '../session';

// The 16 stored bytes: a mark that tells them from a blank or foreign store, the setting, zeros.
const MARK: u8 = 0xa5;
const REFUSES_UNKNOWN_CHAINS = 1;

/** Takes what the platform stored, or the defaults: every setting off. */
export function loadSettings(): void {
  if (settings_load(settings, SETTINGS) !== 0 && load<u8>(settings) === MARK) return;
  memory.fill(settings, 0, SETTINGS);
  store<u8>(settings, MARK);
}

/** Whether the user has turned on "refuse unknown chains" ("Signer device rules" 5). */
export function refusesUnknownChains(): bool {
  return load<u8>(settings, REFUSES_UNKNOWN_CHAINS) === 1;
}

export function toggleUnknownChains(): void {
  store<u8>(settings, refusesUnknownChains() ? 0 : 1, REFUSES_UNKNOWN_CHAINS);
  settings_store(settings, SETTINGS);
}
