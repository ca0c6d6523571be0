import { parse, stringify } from 'lossless-json';

/** Room for every u64 and i64 and some more; no integer of the chain is longer. */
const INTEGER = /^-?\d{1,40}$/;

/** Parses JSON with every integer as a bigint; any other number is a `number`. Throws on what is not JSON. */
export function parseJson(text: string): unknown {
  return parse(text, null, digits => (INTEGER.test(digits) ? BigInt(digits) : Number(digits)));
}

/** Writes JSON on one line with every digit of its bigints. */
export function writeJson(value: unknown): string {
  return stringify(value) ?? 'null';
}
