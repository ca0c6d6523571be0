import { parse, stringify } from 'lossless-json';

/** Long enough for every u64 and i64; a longer run of digits is in no range of the contract. */
const INTEGER = /^-?\d{1,20}$/;

/** Reads JSON with every integer as bigint; any other number stays a `number`, which no integer field accepts. */
export function parseJson(text: string): unknown {
  return parse(text, undefined, digits => (INTEGER.test(digits) ? BigInt(digits) : Number(digits)));
}

/** Writes JSON with every bigint as plain digits. */
export function formatJson(value: unknown): string {
  return stringify(value) ?? 'null';
}
