import { CATALOGUE } from './catalogue.js';

const ATTRIBUTES = ['aria-label', 'placeholder'];

/** A message in the user's language: t`In block ${height}`, which the catalogue has as `In block {0}`. */
export function t(parts: TemplateStringsArray, ...values: (string | number | bigint)[]): string {
  const english = parts.reduce((text, part, at) => `${text}{${at - 1}}${part}`);
  return translate(english).replace(/\{(\d)\}/g, (_, at: string) => `${values[Number(at)]}`);
}

/** Translates the texts of the document. */
export function translateDocument(): void {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node instanceof Text) {
      const english = node.data.trim();
      node.data = node.data.replace(english, () => translate(english));
    } else if (node instanceof Element) {
      for (const name of ATTRIBUTES.filter(name => node.hasAttribute(name))) {
        node.setAttribute(name, translate(node.getAttribute(name) ?? ''));
      }
    }
  }
}

/** A message without values, such as a remedy of the library; its English where the catalogue does not have it. */
export function translate(english: string): string {
  return CATALOGUE[english] ?? english;
}
