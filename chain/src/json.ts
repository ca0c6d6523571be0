import { toHex } from './hex.js';

/** Far more than any answer of a gateway, so that a reader may call itself for each. */
const MAX_DEPTH = 32;
/** More than in blocks of the smallest transactions; each takes a microsecond in which nothing else runs. */
const MAX_VALUES = 250_000;
/** What follows the first group makes it no integer. */
const NUMBER = /-?(\d+)((?:\.\d+)?(?:e[+-]?\d+)?)/iy;
const LITERAL = /true|false|null/y;
const BLANKS = /[ \t\n\r]*/y;
/** Longer than every u64 and i64. */
const MAX_DIGITS = 40;

/**
 * Parses JSON with integers of up to 40 digits as bigint and other numbers as `number`. Throws SyntaxError
 * for invalid JSON, for a name that an object has twice, and for more than 32 levels or 250,000 values: what
 * strangers send is bounded in time and memory.
 */
export function parseJson(text: string): unknown {
  return new Reader(text).document();
}

class Reader {
  #at = 0;
  #values = 0;

  constructor(readonly text: string) {}

  document(): unknown {
    const value = this.#value(0);
    this.#skipBlanks();
    return this.#at === this.text.length ? value : this.#fail();
  }

  #value(depth: number): unknown {
    this.#skipBlanks();
    this.#values += 1;
    if (depth === MAX_DEPTH) throw new SyntaxError(`more than ${MAX_DEPTH} levels in JSON`);
    if (this.#values > MAX_VALUES) throw new SyntaxError(`more than ${MAX_VALUES} values in JSON`);
    const first = this.text[this.#at];
    if (first === '"') return this.#string();
    if (first === '[') return this.#list(depth + 1);
    if (first === '{') return this.#object(depth + 1);
    const literal = this.#match(LITERAL)?.[0];
    return literal === undefined ? this.#number() : JSON.parse(literal);
  }

  #number(): bigint | number {
    const [token, digits, rest] = this.#match(NUMBER) ?? this.#fail();
    if (digits!.length > 1 && digits!.startsWith('0')) this.#fail();
    return rest === '' && digits!.length <= MAX_DIGITS ? BigInt(token) : Number(token);
  }

  #string(): string {
    const start = this.#at;
    let end = start;
    let backslashes: number;
    do {
      end = this.text.indexOf('"', end + 1);
      if (end < 0) this.#fail();
      backslashes = 0;
      while (this.text[end - 1 - backslashes] === '\\') backslashes += 1;
    } while (backslashes % 2 === 1);
    this.#at = end + 1;
    try {
      return JSON.parse(this.text.slice(start, this.#at)) as string;
    } catch {
      return this.#fail();
    }
  }

  #list(depth: number): unknown[] {
    const list: unknown[] = [];
    for (let more = this.#begins(']'); more; more = this.#goesOn(']')) list.push(this.#value(depth));
    return list;
  }

  #object(depth: number): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    for (let more = this.#begins('}'); more; more = this.#goesOn('}')) {
      const position = this.#at;
      const name = this.text[this.#at] === '"' ? this.#string() : this.#fail();
      if (Object.hasOwn(object, name)) {
        throw new SyntaxError(`duplicate name in JSON at position ${position}`);
      }
      this.#skipBlanks();
      if (this.text[this.#at] !== ':') this.#fail();
      this.#at += 1;
      const value = this.#value(depth);
      // An assignment to `__proto__` makes no field.
      if (name !== '__proto__') object[name] = value;
      else
        Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
    }
    return object;
  }

  /** Whether there is anything between the bracket and its `end`. */
  #begins(end: string): boolean {
    this.#at += 1;
    this.#skipBlanks();
    if (this.text[this.#at] !== end) return true;
    this.#at += 1;
    return false;
  }

  /** Whether a comma follows; else `end` does. */
  #goesOn(end: string): boolean {
    this.#skipBlanks();
    const next = this.text[this.#at];
    if (next !== ',' && next !== end) this.#fail();
    this.#at += 1;
    this.#skipBlanks();
    return next === ',';
  }

  #skipBlanks(): void {
    this.#match(BLANKS);
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text) ?? undefined;
    if (found !== undefined) this.#at = pattern.lastIndex;
    return found;
  }

  /** With the words of the engine, which ends at the same fault: what is before it is within the limits. */
  #fail(): never {
    JSON.parse(this.text);
    throw new SyntaxError('invalid JSON');
  }
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
