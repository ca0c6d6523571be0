/** The element with this id, which the page is known to have. */
export function byId<E extends HTMLElement>(id: string, kind: new () => E): E {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${id}`);
  return found;
}

/** A new element around a text or other elements; texts stay texts whatever is in them. */
export function element(tag: string, className: string, ...content: (string | Node)[]): HTMLElement {
  const created = document.createElement(tag);
  if (className !== '') created.className = className;
  created.append(...content);
  return created;
}
