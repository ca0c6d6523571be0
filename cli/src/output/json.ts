import { formatJson } from '@zbc-signer/chain';

/**
 * Matches control characters, format characters (bidirectional and zero-width included) and line separators.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** One line of JSON by formatJson, with terminal control characters escaped. */
export function formatJsonLine(value: unknown): string {
  return formatJson(value).replace(UNSEEN, character =>
    // JSON escapes each UTF-16 code unit on its own.
    Array.from({ length: character.length }, (_, at) => escapeUnit(character.charCodeAt(at))).join(''),
  );
}

const escapeUnit = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;
