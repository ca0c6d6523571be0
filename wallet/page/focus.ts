/** The element that has the focus, or that has lost it because it was disabled, hidden or removed, and its part. */
let last: { element: HTMLElement; holder: Element | null } | undefined;

const isShown = (element: Element | null | undefined) => element?.isConnected && element.checkVisibility();

/**
 * Keeps the keyboard's place: if the focused element is hidden or removed, the heading above it gets the focus, which a
 * screen reader then reads; if it was disabled for a while, it gets the focus again.
 */
export function keepFocus(): void {
  addEventListener('focusin', ({ target }) => {
    const element = target as HTMLElement;
    last = { element, holder: element.closest('section, dialog') };
  });
  // A click beside the controls takes the focus away for good.
  addEventListener('pointerdown', () => {
    last = undefined;
  });
  new MutationObserver(restore).observe(document.body, {
    subtree: true,
    childList: true,
    attributeFilter: ['hidden', 'disabled', 'open'],
  });
}

function restore(): void {
  const { activeElement } = document;
  if (last === undefined || (activeElement !== document.body && activeElement !== last.element)) return;
  if (isShown(last.element)) last.element.focus();
  else focusHeading(last.holder);
}

/** Moves the focus to the heading of the part, or of what the page shows instead of it. */
function focusHeading(part: Element | null): void {
  const shown = [...document.querySelectorAll<HTMLElement>('main h2')].filter(isShown);
  const own = isShown(part) ? part!.querySelector('h2') : null;
  const heading = own ?? shown.find(each => each.closest('#wallet')) ?? shown[0];
  if (heading === undefined) return;
  heading.tabIndex = -1;
  heading.focus();
}
