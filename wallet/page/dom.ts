/** The element with this id, which the page has. */
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

/** An element with text and elements in it; text never becomes markup. */
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

/** Shows rows of a name and a value; values of `mono` names are set in a fixed width. */
export function showFacts(
  list: HTMLElement,
  facts: readonly (readonly [string, string])[],
  mono?: RegExp,
): void {
  list.replaceChildren(
    ...facts.flatMap(([name, value]) => [
      element('dt', '', name),
      element('dd', mono?.test(name) ? 'mono' : '', ...breakable(value)),
    ]),
  );
}

/** An address breaks between its groups, where the device breaks it too. */
function breakable(text: string): Child[] {
  if (!/^ZBC_[\w]{56,}$/.test(text)) return [text];
  return text
    .split(/(?=_)/)
    .flatMap((group, at) => (at < 2 ? [group] : [document.createElement('wbr'), group]));
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
