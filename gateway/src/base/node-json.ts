const SEPARATORS = [',', '{', '['].map(character => character.charCodeAt(0));

/**
 * Parses what a node sent; throws SyntaxError. Without the digits of integers above 2^53, which `integerOf`
 * refuses: `parseJson`, which keeps them, takes a hundred times as long for a text of nothing but numbers.
 */
export function parseNodeJson(body: Buffer): unknown {
  return JSON.parse(body.toString());
}

/** A field of a parsed value. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

/** A field from 0 on that was parsed exactly, such as a height; undefined for anything else. */
export function integerOf(value: unknown, name: string): bigint | undefined {
  const field = fieldOf(value, name);
  return Number.isSafeInteger(field) && Number(field) >= 0 ? BigInt(Number(field)) : undefined;
}

/**
 * The separators of values in a text, each of which costs `parseJson` microseconds of everybody's time; those
 * in strings count too.
 */
export function countSeparators(body: Buffer): number {
  let count = 0;
  for (const byte of body) if (SEPARATORS.includes(byte)) count += 1;
  return count;
}
