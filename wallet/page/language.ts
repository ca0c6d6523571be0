import { CATALOGUE } from './catalogue.js';

const ATTRIBUTES = ['aria-label', 'placeholder'];

/** Translates a message: for t`In block ${height}`, the catalogue has the key `In block {0}`. */
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

/**
 * Translates a message without values, such as a remedy of the library. Without a translation, it stays
 * English.
 */
export function translate(english: string): string {
  return CATALOGUE[english] ?? english;
}
