/** Control, format (bidirectional and zero-width included), private-use, line and paragraph separators, lone surrogates. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]+/gu;
const MAX_CHARACTERS = 200;

/** Makes one short line, safe for a terminal or a page, of a text that came from a node. */
export function cleanText(text: string): string {
  const characters = [...text.slice(0, 2 * MAX_CHARACTERS).replace(UNSAFE, '')];
  return characters.slice(0, MAX_CHARACTERS).join('');
}
