import { toHex } from './hex.js';

/** A bracket, a string with the colon of a name, or a number of any form, in valid JSON. */
const TOKEN = /[{}[\]]|"(?:[^"\\]+|\\.)*"(\s*:)?|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi;
/** Longer than every u64 and i64. */
const INTEGER = /^-?\d{1,40}$/;

/**
 * Parses JSON with integers of up to 40 digits as bigint and other numbers as `number`. Throws SyntaxError
 * for invalid JSON and for a name that an object has twice.
 */
export function parseJson(text: string): unknown {
  // Validates; the digits of large integers are lost here.
  JSON.parse(text);
  // Random, so that no string of the text can be mistaken for an integer.
  const mark = toHex(globalThis.crypto.getRandomValues(new Uint8Array(16)));
  const open: Set<unknown>[] = [];
  const marked = text.replace(TOKEN, (token, colon: string | undefined, position: number) => {
    if ('{['.includes(token)) open.push(new Set());
    else if ('}]'.includes(token)) open.pop();
    else if (colon !== undefined) addName(open.at(-1)!, JSON.parse(token.slice(0, -colon.length)), position);
    return INTEGER.test(token) ? `"${mark}${token}"` : token;
  });
  return JSON.parse(marked, (_name, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  );
}

function addName(names: Set<unknown>, name: unknown, position: number): void {
  if (names.has(name)) throw new SyntaxError(`duplicate name in JSON at position ${position}`);
  names.add(name);
}

/** Writes JSON on one line: every digit of bigints, bytes as lower-case hex, `null` for undefined. */
export function formatJson(value: unknown): string {
  if (typeof value === 'bigint') return `${value}`;
  if (value instanceof Uint8Array) return `"${toHex(value)}"`;
  if (Array.isArray(value)) return `[${value.map(formatJson).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${formatJson(field)}`).join()}}`;
}
