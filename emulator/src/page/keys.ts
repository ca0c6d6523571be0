import type { Button } from '../device/buttons.js';

export const KEYS = new Map<string, Button>([
  ['ArrowLeft', 'left'],
  ['ArrowRight', 'right'],
  ['ArrowDown', 'both'],
]);

/** Calls `press` for each press of an arrow key that no other part of the page handles. */
export function listenForKeys(press: (button: Button) => void, signal?: AbortSignal): void {
  const listen = (event: KeyboardEvent) => {
    const button = KEYS.get(event.key);
    if (!button || isHandledElsewhere(event)) return;
    event.preventDefault();
    // A held key counts as one press, so that it cannot page through a review.
    if (!event.repeat) press(button);
  };
  document.addEventListener('keydown', listen, signal ? { signal } : {});
}

/**
 * Arrow keys with a modifier belong to the browser. In a field or a list, arrow keys move the cursor or
 * scroll.
 */
function isHandledElsewhere(event: KeyboardEvent): boolean {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return true;
  return event.target instanceof Element && event.target.closest('textarea, input, select, .list') !== null;
}
