/** The element with this id. Throws if the page has no such element. */
export function find<E extends HTMLElement>(id: string, kind: new () => E): E {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no #${id}`);
  return found;
}

export function part(id: string): HTMLElement {
  return find(id, HTMLElement);
}

export const button = (id: string) => find(id, HTMLButtonElement);
export const input = (id: string) => find(id, HTMLInputElement);

type Child = Node | string;

/** Makes an element with text and elements in it. Text is never parsed as markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  if (className !== '') made.className = className;
  made.append(...children);
  return made;
}

/** Makes a button that does not submit a form. */
export function makeButton(text: string, className: string, act: () => unknown): HTMLButtonElement {
  const made = element('button', className, text);
  made.type = 'button';
  made.addEventListener('click', () => void act());
  return made;
}

/**
 * Copies a text that `source` shows, and returns what to say. If the browser does not let the page copy, as without
 * https, the text is selected for the user.
 */
export async function copyText(text: string, source: Node): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return 'Copied. Compare it again where you paste it.';
  } catch {
    getSelection()?.selectAllChildren(source);
    return 'The browser did not allow copying. The text is selected: press Ctrl+C or ⌘C.';
  }
}

/** The mark of coins, which have the id 0, or of a token: the hue follows from its id. */
export function assetMark(id: bigint, name: string): HTMLElement {
  const mark = element('span', id === 0n ? 'mark' : 'mark token', [...name][0] ?? '');
  mark.ariaHidden = 'true';
  mark.style.setProperty('--hue', `${BigInt.asUintN(64, id * 137n) % 360n}`);
  return mark;
}

/** Matches addresses and hashes, which are shown in a fixed-width font. */
const CODE = /^(ZBC_\w{56,}|[0-9a-f]{32,})$/;

/** Matches the names of values that somebody has written: such a text must not look like anything else. */
const WRITTEN = /(message|instruction)$/i;

/** Fills a list with rows that have a name and a value. */
export function showFacts(list: HTMLElement, facts: readonly (readonly [string, string])[]): void {
  list.replaceChildren(
    ...facts.flatMap(([name, value]) => [
      element('dt', '', name),
      WRITTEN.test(name) ? writtenElement(value) : valueElement('dd', value),
    ]),
  );
}

/** A text in a box of its own, which scrolls, with a mark for each line feed, as on the device. */
function writtenElement(text: string): HTMLElement {
  const pieces = text.split(/(\n)/).map(piece => (piece === '\n' ? element('span', 'return', piece) : piece));
  const made = element('dd', 'written', ...pieces);
  made.tabIndex = 0;
  return made;
}

export function factList(facts: readonly (readonly [string, string])[]): HTMLElement {
  const list = element('dl', 'facts');
  showFacts(list, facts);
  return list;
}

/** Makes an element that shows facts when the user opens it. */
export function foldedFacts(
  facts: readonly (readonly [string, string])[],
  ...summary: Child[]
): HTMLDetailsElement {
  const shown = summary.length === 0 ? ['Details'] : summary;
  return element('details', '', element('summary', '', ...shown), factList(facts));
}

/** Makes an element with a value. The groups of an address are separate elements, as they are on the device. */
export function valueElement(name: 'dd' | 'p', value: string): HTMLElement {
  if (!CODE.test(value)) return element(name, '', value);
  const isAddress = value.startsWith('Z');
  return element(name, isAddress ? 'mono address' : 'mono', ...(isAddress ? groupsOf(value) : [value]));
}

/** The groups of an address as elements. Each group except the last ends with an underscore. */
export function groupsOf(address: string): HTMLElement[] {
  return (address.match(/[^_]+_?/g) ?? []).map(group => element('span', '', group));
}

/** Sets a text that a screen reader announces, only if it is a new one. */
export function say(id: string, text: string): void {
  if (part(id).textContent !== text) part(id).textContent = text;
}

/** Calls `submit` in place of the browser's own submission. */
export function onSubmit(form: HTMLFormElement, submit: (pressed: HTMLElement | null) => void): void {
  form.addEventListener('submit', event => {
    event.preventDefault();
    submit(event.submitter);
  });
}

export function onClick(id: string, act: () => void): void {
  part(id).addEventListener('click', act);
}

/** The result of `read`, or undefined if it throws, as for a value that is not complete yet. */
export function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
