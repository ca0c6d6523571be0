import type { Button } from '../src/device/buttons.js';
import { KEYS, listenForKeys } from '../src/page/keys.js';
import { byId } from './elements.js';

/** How long a button is highlighted after a key press. */
const FLASH_MS = 120;

const fault = byId('press-error', HTMLElement);

/** Presses are sent one at a time, in order. */
let last: Promise<void> = Promise.resolve();

export function listenForPresses(): void {
  for (const button of KEYS.values()) {
    byId(button, HTMLButtonElement).addEventListener('click', () => press(button));
  }
  listenForKeys(button => {
    flash(byId(button, HTMLButtonElement));
    press(button);
  });
}

function press(button: Button): void {
  last = last.then(() => post(button)).then(showFault, () => showFault('The emulator did not answer.'));
}

/** Resolves with an error message, or with an empty string if the emulator accepted the press. */
async function post(button: Button): Promise<string> {
  const response = await fetch(`/button/${button}`, {
    method: 'POST',
    body: '{"action":"press-and-release"}',
  });
  if (response.ok) return '';
  const { error } = await response.json();
  return `Not pressed: ${error}`;
}

function showFault(text: string): void {
  fault.textContent = text;
}

function flash(key: HTMLButtonElement): void {
  key.classList.add('pressed');
  setTimeout(() => key.classList.remove('pressed'), FLASH_MS);
}
