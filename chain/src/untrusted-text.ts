/** Control, format (bidirectional and zero-width included), private-use, line and paragraph separators, lone surrogates. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/** Makes one short line, safe for a terminal or a page, of a text that came from the network, the chain or a file. */
export function cleanText(text: string, maxCharacters = 300): string {
  const characters = [...text.replace(/[\t-\r \u2028\u2029]+/g, ' ').replace(UNSAFE, '')];
  return characters.length <= maxCharacters
    ? characters.join('')
    : `${characters.slice(0, maxCharacters).join('')}…`;
}

/** A token symbol as the signer takes it (§1.2: printable ASCII, no space, at most 12), or undefined when it is not one. */
export function cleanSymbol(text: string | undefined): string | undefined {
  return text !== undefined && /^[\x21-\x7e]{1,12}$/.test(text) ? text : undefined;
}
