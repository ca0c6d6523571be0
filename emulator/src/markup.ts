/** HTML that the `html` template inserts unchanged. The template escapes all other values. */
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

/**
 * Control characters except line feed and tab, and other invisible characters, such as changes of direction.
 */
const INVISIBLE = /[^\P{C}\n\t]|[\p{Zl}\p{Zp}]/gu;

/** A template of HTML, whose values are escaped for text and for quoted attributes. */
export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const rest = parts.map((part, index) => render(part) + literals[index + 1]!);
  return new Markup(literals[0]! + rest.join(''));
}

function render(part: Part): string {
  if (part instanceof Markup) return part.text;
  return typeof part === 'object' ? part.map(render).join('') : escapeText(`${part}`);
}

function escapeText(text: string): string {
  return text.replace(INVISIBLE, '').replace(/[&<>"']/g, character => ENTITIES[character]!);
}
