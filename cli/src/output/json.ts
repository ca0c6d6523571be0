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

/** JSON as by formatJsonLine, with one value on each line. */
export function formatJsonText(value: unknown, margin = ''): string {
  const isRecord = typeof value === 'object' && value !== null && !(value instanceof Uint8Array);
  if (!isRecord) return formatJsonLine(value);
  const inner = `${margin}  `;
  const items = Array.isArray(value)
    ? value.map(item => formatJsonText(item, inner))
    : Object.entries(value).map(([name, item]) => `${formatJsonLine(name)}: ${formatJsonText(item, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return items.length === 0
    ? `${open}${close}`
    : `${open}\n${inner}${items.join(`,\n${inner}`)}\n${margin}${close}`;
}
