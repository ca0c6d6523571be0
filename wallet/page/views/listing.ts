import { element, part } from '../dom.js';
import { describeError } from '../words.js';

/** The last question for each list. */
const asked = new Map<string, object>();

/** Shows what `read` gives, or why it gives nothing; a later question's answer is not replaced by it. */
export async function fillList(name: string, read: () => Promise<HTMLElement[]>): Promise<void> {
  asked.set(name, read);
  const items = await read().catch(error => [element('li', '', describeError(error))]);
  if (asked.get(name) !== read) return;
  part(`no-${name}`).hidden = items.length > 0;
  part(`${name}-list`).replaceChildren(...items);
}
