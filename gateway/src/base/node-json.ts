const SEPARATORS = [',', '{', '['].map(character => character.charCodeAt(0));

/**
 * Parses JSON from a node; throws SyntaxError. Integers above 2^53 lose digits, and `integerOf` rejects them:
 * `parseJson`, which keeps all digits, takes a hundred times as long for a text of only numbers.
 */
export function parseNodeJson(body: Buffer): unknown {
  return JSON.parse(body.toString());
}

export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

/** A field that is an exact integer from 0, such as a height; otherwise undefined. */
export function integerOf(value: unknown, name: string): bigint | undefined {
  const field = fieldOf(value, name);
  return Number.isSafeInteger(field) && Number(field) >= 0 ? BigInt(Number(field)) : undefined;
}

/** Counts separators, including those in strings: each costs `parseJson` microseconds of the event loop. */
export function countSeparators(body: Buffer): number {
  let count = 0;
  for (const byte of body) if (SEPARATORS.includes(byte)) count += 1;
  return count;
}
