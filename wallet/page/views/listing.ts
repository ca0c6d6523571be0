import { element, part, valueElement } from '../dom.js';
import { describeError } from '../words.js';

/** The last request for each list. */
const asked = new Map<string, object>();

/** Shows the elements or the error of `read`, unless a later request for the same list was made. */
export async function fillList(name: string, read: () => Promise<HTMLElement[]>): Promise<void> {
  asked.set(name, read);
  const items = await read().catch(error => [element('li', '', describeError(error))]);
  if (asked.get(name) !== read) return;
  part(`no-${name}`).hidden = items.length > 0;
  part(`${name}-list`).replaceChildren(...items);
}

/** A row with a name and the whole address. */
export function namedAddress(name: string, address: string, ...children: HTMLElement[]): HTMLElement {
  return element('li', '', element('strong', '', name), valueElement('p', address), ...children);
}
