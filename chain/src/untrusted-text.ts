/**
 * Matches control characters, format characters (which include bidirectional and zero-width characters),
 * private-use characters, line and paragraph separators, and lone surrogates.
 */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/** Cleans untrusted text for printing: one line, no control or format characters, at most `maxCharacters`. */
export function cleanText(text: string, maxCharacters = 300): string {
  const characters = [...text.replace(/[\t-\r \u2028\u2029]+/g, ' ').replace(UNSAFE, '')];
  return characters.length <= maxCharacters
    ? characters.join('')
    : `${characters.slice(0, maxCharacters).join('')}…`;
}

/**
 * Returns the symbol if a signer accepts it: 1 to 12 printable ASCII characters without spaces. Otherwise
 * returns undefined.
 */
export function cleanSymbol(text: string | undefined): string | undefined {
  return text !== undefined && /^[\x21-\x7e]{1,12}$/.test(text) ? text : undefined;
}
