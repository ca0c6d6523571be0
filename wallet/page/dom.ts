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

/** Matches addresses and hashes, which are shown in a fixed-width font. */
const CODE = /^(ZBC_\w{56,}|[0-9a-f]{32,})$/;

/** Fills a list with rows that have a name and a value. */
export function showFacts(list: HTMLElement, facts: readonly (readonly [string, string])[]): void {
  list.replaceChildren(
    ...facts.flatMap(([name, value]) => [
      element('dt', '', name),
      element('dd', CODE.test(value) ? 'mono' : '', ...breakable(value)),
    ]),
  );
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

/**
 * Text with the places where it may be broken. An address is broken only between groups, as on the device.
 */
function breakable(text: string): Child[] {
  if (!/^ZBC_[\w]{56,}$/.test(text)) return [text];
  return addressGroups(text).flatMap((group, at) => (at < 2 ? [group] : [element('wbr', ''), group]));
}

/** The groups of an address as separate elements, so that they are visible as on the device. */
export function groupedAddress(address: string): Child[] {
  return addressGroups(address).flatMap(group => [element('span', '', group), element('wbr', '')]);
}

/** Splits an address into its groups. Every group except the first begins with an underscore. */
function addressGroups(address: string): string[] {
  return address.split(/(?=_)/);
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
