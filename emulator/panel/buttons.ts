import { byId } from './elements.js';

type Button = 'left' | 'right' | 'both';

const KEYS = new Map<string, Button>([
  ['ArrowLeft', 'left'],
  ['ArrowRight', 'right'],
  ['ArrowDown', 'both'],
]);
/** How long a key looks pressed that was pressed from the keyboard. */
const FLASH_MS = 120;

const fault = byId('press-error', HTMLElement);

/** Presses reach the device one after the other, in the order they were made. */
let last: Promise<void> = Promise.resolve();

export function listenForPresses(): void {
  for (const button of KEYS.values()) {
    byId(button, HTMLButtonElement).addEventListener('click', () => press(button));
  }
  document.addEventListener('keydown', event => {
    const button = KEYS.get(event.key);
    if (!button || belongsElsewhere(event)) return;
    event.preventDefault();
    // A key that is held down is one press: a review must not run through by itself.
    if (event.repeat) return;
    flash(byId(button, HTMLButtonElement));
    press(button);
  });
}

/** Arrows with a modifier are the browser's; in a field or a list they move the cursor or scroll. */
function belongsElsewhere(event: KeyboardEvent): boolean {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return true;
  return event.target instanceof Element && event.target.closest('textarea, .list') !== null;
}

function press(button: Button): void {
  last = last.then(() => post(button)).then(showFault, () => showFault('The emulator did not answer.'));
}

/** Resolves with what went wrong, or nothing. */
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
