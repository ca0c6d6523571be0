/** Text that is HTML already; anything else is escaped when it is put into some. */
export class Markup {
  constructor(readonly text: string) {}
}

type Part = string | number | Markup | readonly Part[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Control characters but the line feed, and what turns the direction of text or is not seen. */
const UNSEEN = /[^\P{C}\n]|[\p{Zl}\p{Zp}]/gu;

/** A template of HTML: what is put in is escaped, in texts and quoted attributes alike. */
export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const rest = parts.map((part, index) => render(part) + literals[index + 1]!);
  return new Markup(literals[0]! + rest.join(''));
}

function render(part: Part): string {
  if (part instanceof Markup) {
    return part.text;
  }
  return typeof part === 'object' ? part.map(render).join('') : escapeText(`${part}`);
}

function escapeText(text: string): string {
  return text.replace(UNSEEN, '').replace(/[&<>"']/g, character => ENTITIES[character]!);
}
