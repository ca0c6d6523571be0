import {
  type Account,
  accountText,
  cleanText,
  formatJson,
  fromHex,
  MAX_I64,
  MAX_U64,
  parseAccount,
} from '@zbc-signer/chain';
import { HASH_LENGTH } from '@zbc-signer/protocol/limits';
import { GatewayMalformedError } from './errors.js';

/** Maximum number of items in a list. */
const MAX_LIST = 10_000;

/** The reading methods of Answer that take only a name. */
type FieldKind =
  | 'integer'
  | 'count'
  | 'amount'
  | 'decimal'
  | 'text'
  | 'label'
  | 'holder'
  | 'account'
  | 'hash'
  | 'flag';

/** Reads the fields of a JSON object; every method throws GatewayMalformedError naming the field. */
export class Answer {
  readonly #values: object;

  constructor(
    readonly route: string,
    json: unknown,
  ) {
    if (typeof json !== 'object' || json === null || Array.isArray(json)) {
      throw new GatewayMalformedError(route, 'it is not an object');
    }
    this.#values = json;
  }

  /** Whether the object has the field. A field that is null counts as missing. */
  has(name: string): boolean {
    return (this.#value(name) ?? null) !== null;
  }

  /** The field, or undefined if it is missing or invalid. */
  optional<Kind extends FieldKind>(name: string, kind: Kind): ReturnType<Answer[Kind]> | undefined {
    try {
      return this.has(name) ? (this[kind](name) as ReturnType<Answer[Kind]>) : undefined;
    } catch (error) {
      if (error instanceof GatewayMalformedError) return undefined;
      throw error;
    }
  }

  /**
   * Returns the answer. Throws if the field repeats another question than `asked`, or is invalid. A missing field
   * repeats nothing.
   */
  repeating(name: string, kind: FieldKind, asked: unknown): this {
    if (this.has(name) && formatJson(this[kind](name)) !== formatJson(asked)) {
      throw this.#fault(name, 'is not the one that was asked for');
    }
    return this;
  }

  /** A JSON integer or a string of digits, within the 64 bits of a signed or unsigned field. */
  integer(name: string): bigint {
    const value = this.#value(name);
    const isDigits = typeof value === 'string' && /^-?\d{1,20}$/.test(value);
    return this.#within64Bits(name, isDigits ? BigInt(value) : value);
  }

  /** Reads an integer that is never a string. */
  strictInteger(name: string): bigint {
    return this.#within64Bits(name, this.#value(name));
  }

  /** An integer from 0 to 2^53 - 1. */
  count(name: string): number {
    const value = this.integer(name);
    if (value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER)) throw this.#fault(name, 'is out of range');
    return Number(value);
  }

  /** An integer of at least 0. */
  amount(name: string): bigint {
    const value = this.integer(name);
    if (value < 0n) throw this.#fault(name, 'is negative');
    return value;
  }

  /** A measurement, such as a CPU share, as a `number`. */
  decimal(name: string): number {
    const value = this.#value(name);
    const decimal = typeof value === 'bigint' ? Number(value) : value;
    if (typeof decimal !== 'number' || !Number.isFinite(decimal)) throw this.#fault(name, 'is not a number');
    return decimal;
  }

  /** Reads one line without control characters, at most 300 characters long. */
  text(name: string): string {
    return cleanText(this.rawText(name));
  }

  /** Returns the text unchanged: not safe to print. */
  rawText(name: string): string {
    const value = this.#value(name);
    if (typeof value !== 'string') throw this.#fault(name, 'is not a string');
    return value;
  }

  /** Reads a name: text without control characters, or the digits of an integer. */
  label(name: string): string {
    const value = this.#value(name);
    return typeof value === 'bigint' ? `${value}` : this.text(name);
  }

  /**
   * An account to print: its `ZBC_` address or its wire form in lower-case hex. If the account is not valid,
   * the text without control characters.
   */
  holder(name: string): string {
    const text = this.text(name);
    try {
      return accountText(parseAccount(text));
    } catch {
      return text;
    }
  }

  /** A hash of 32 bytes. */
  hash(name: string): Uint8Array {
    return this.hex(name, HASH_LENGTH);
  }

  /** A list of hashes of 32 bytes. */
  hashes(name: string): Uint8Array[] {
    const list = this.#value(name);
    if (!Array.isArray(list) || list.length > MAX_LIST) throw this.#fault(name, 'is not a list of hashes');
    return list.map(hash => new Answer(this.route, { [name]: hash }).hash(name));
  }

  /** A `ZBC_` address, or the wire form in hex. */
  account(name: string): Account {
    try {
      return parseAccount(this.rawText(name));
    } catch {
      throw this.#fault(name, 'is not an account');
    }
  }

  /** Reads hex in either case, with or without `0x`. `length` is the expected number of bytes. */
  hex(name: string, length?: number): Uint8Array {
    const value = this.#value(name);
    const digits = typeof value === 'string' ? value.replace(/^0x/i, '') : '?';
    if (!/^([0-9a-f]{2})*$/i.test(digits)) throw this.#fault(name, 'is not hex');
    if (length !== undefined && digits.length !== 2 * length) {
      throw this.#fault(name, `is not ${length} bytes long`);
    }
    return fromHex(digits);
  }

  /** A boolean, or 1 or 0. */
  flag(name: string): boolean {
    const value = this.#value(name);
    if (typeof value === 'boolean') return value;
    if (value !== 0n && value !== 1n) throw this.#fault(name, 'is not true or false');
    return value === 1n;
  }

  object(name: string): Answer {
    return new Answer(this.route, this.#value(name));
  }

  /** The objects of a list; empty if the field is missing. */
  list(name: string): Answer[] {
    return this.has(name) ? readList(this.route, this.#value(name), name) : [];
  }

  #within64Bits(name: string, value: unknown): bigint {
    if (typeof value !== 'bigint') throw this.#fault(name, 'is not an integer');
    if (value < -MAX_I64 - 1n || value > MAX_U64) throw this.#fault(name, 'does not fit 64 bits');
    return value;
  }

  #value(name: string): unknown {
    return Object.hasOwn(this.#values, name) ? Reflect.get(this.#values, name) : undefined;
  }

  #fault(name: string, fault: string): GatewayMalformedError {
    return new GatewayMalformedError(this.route, `${name} ${fault}`);
  }
}

/** The objects of a list: the answer itself, or its field `name`. */
export function readList(route: string, json: unknown, name: string): Answer[] {
  const list = Array.isArray(json) ? json : Reflect.get(Object(json), name);
  if (!Array.isArray(list)) throw new GatewayMalformedError(route, `it has no list of ${name}`);
  if (list.length > MAX_LIST) throw new GatewayMalformedError(route, `it has more than ${MAX_LIST} ${name}`);
  return list.map(item => new Answer(route, item));
}
