import { byId } from './elements.js';

type Button = 'left' | 'right' | 'both';

const KEYS = new Map<string, Button>([
  ['ArrowLeft', 'left'],
  ['ArrowRight', 'right'],
  ['ArrowDown', 'both'],
]);
/** How long a button is highlighted after a key press. */
const FLASH_MS = 120;

const fault = byId('press-error', HTMLElement);

/** Presses are sent one at a time, in order. */
let last: Promise<void> = Promise.resolve();

export function listenForPresses(): void {
  for (const button of KEYS.values()) {
    byId(button, HTMLButtonElement).addEventListener('click', () => press(button));
  }
  document.addEventListener('keydown', event => {
    const button = KEYS.get(event.key);
    if (!button || isHandledElsewhere(event)) return;
    event.preventDefault();
    // A held key counts as one press, so that it cannot page through a review.
    if (event.repeat) return;
    flash(byId(button, HTMLButtonElement));
    press(button);
  });
}

/**
 * Arrow keys with a modifier belong to the browser. In a field or a list, arrow keys move the cursor or
 * scroll.
 */
function isHandledElsewhere(event: KeyboardEvent): boolean {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return true;
  return event.target instanceof Element && event.target.closest('textarea, input, select, .list') !== null;
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
