import type { Button } from '../../device/buttons.js';
import type { Emulator } from '../../harness/emulator.js';
import type { ConformanceBench } from '../bench.js';

export const right = (times: number) => Array.from({ length: times }, (): Button => 'right');

export const press =
  (...buttons: readonly Button[]) =>
  (reference: Emulator) => {
    for (const button of buttons) reference.press(button);
  };

/** Presses that lead from any page of the settings to the first page of the menu. */
export const HOME: readonly Button[] = ['right', 'right', 'right', 'both'];

/** Presses that lead from the first page of the menu to a setting. */
export const TO_UNKNOWN_CHAINS: readonly Button[] = ['right', 'both'];
export const TO_DETAILS: readonly Button[] = ['right', 'both', 'right'];
export const TO_CONTACTS_ONLY: readonly Button[] = ['right', 'both', 'right', 'right'];

type Toggle = (way: readonly Button[]) => Promise<void>;

/** Runs `change`. If it fails, tries to restore the settings that it changed with `toggle`. */
export async function changeSettings(
  bench: ConformanceBench,
  change: (toggle: Toggle) => Promise<void>,
): Promise<void> {
  const changed = new Set<readonly Button[]>();
  const toggle: Toggle = async way => {
    if (!changed.delete(way)) changed.add(way);
    await bench.follow(press(...way, 'both', ...HOME));
  };
  try {
    await change(toggle);
  } catch (error) {
    await bench
      .begin()
      .then(() => bench.look())
      .then(async () => {
        for (const way of [...changed]) await toggle(way);
      })
      .catch(() => undefined);
    throw error;
  }
}
