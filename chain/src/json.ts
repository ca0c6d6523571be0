import { toHex } from './hex.js';

/** Matches a bracket, a string (with the colon after it if it is a name), or a number, in valid JSON. */
const TOKEN = /[{}[\]]|"(?:[^"\\]+|\\.)*"(\s*:)?|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi;
const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const OPENING: readonly number[] = [0x5b, 0x7b];
const CLOSING: readonly number[] = [0x5d, 0x7d];
/** This limit is far above the depth of any response of a gateway. */
const MAX_DEPTH = 32;
/**
 * This limit is above the number of values in a block of the smallest transactions. Each value blocks the
 * event loop for microseconds.
 */
const MAX_VALUES = 250_000;
/** Matches integers with more digits than any u64 or i64 has. */
const INTEGER = /^-?\d{1,40}$/;

/**
 * Parses JSON with integers of up to 40 digits as bigint and other numbers as `number`. Throws SyntaxError
 * for invalid JSON, for a duplicate name in an object, and for more than 32 levels or 250,000 values, so that
 * untrusted input is bounded in time and memory.
 */
export function parseJson(text: string): unknown {
  checkSize(text);
  // This call only validates. Its result is not used, because large integers lose digits in it.
  JSON.parse(text);
  // The mark is random, so that no string in the text can be mistaken for a marked integer.
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

/** Checks the size of the text before it is parsed, even if the text is not valid JSON. */
function checkSize(text: string): void {
  let depth = 0;
  let values = 1;
  let isString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) isString = !isString;
    else if (isString) at += Number(code === BACKSLASH);
    else if (CLOSING.includes(code)) depth -= 1;
    else if (code === COMMA || OPENING.includes(code)) {
      // A value follows each comma and each opening bracket. Empty arrays and objects count as one value
      // more.
      values += 1;
      depth += Number(code !== COMMA);
    }
    if (depth > MAX_DEPTH || values > MAX_VALUES) {
      throw new SyntaxError(`the JSON has more than ${MAX_DEPTH} levels or ${MAX_VALUES} values`);
    }
  }
}

function addName(names: Set<unknown>, name: unknown, position: number): void {
  if (names.has(name)) throw new SyntaxError(`duplicate name in JSON at position ${position}`);
  names.add(name);
}

/** Writes JSON on one line: bigints with all digits, bytes as lower-case hex, and undefined as `null`. */
export function formatJson(value: unknown): string {
  if (typeof value === 'bigint') return `${value}`;
  if (value instanceof Uint8Array) return `"${toHex(value)}"`;
  if (Array.isArray(value)) return `[${value.map(formatJson).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${formatJson(field)}`).join()}}`;
}
