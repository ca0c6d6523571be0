/** The element with this id; throws if the page lacks it. */
export function byId<E extends HTMLElement>(id: string, kind: new () => E): E {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no element #${id}`);
  return found;
}

/** Creates an element from texts and elements; texts are never parsed as HTML. */
export function element(tag: string, className: string, ...content: (string | Node)[]): HTMLElement {
  const created = document.createElement(tag);
  if (className !== '') created.className = className;
  created.append(...content);
  return created;
}
