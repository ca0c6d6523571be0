import {
  type Account,
  cleanText,
  encodeAccount,
  formatAccount,
  fromHex,
  KIND_ZBC,
  parseAccount,
  toHex,
} from '../../../chain/src/index.js';
import { HASH } from '../../../protocol/limits.js';
import { GatewayAnswerError } from './errors.js';

/** More than any list of a gateway that is meant to be read whole. */
const MAX_LIST = 10_000;

/** What a field can be read as: the methods of an Answer that take its name alone. */
type FieldKind = 'integer' | 'count' | 'amount' | 'decimal' | 'text' | 'label' | 'holder' | 'hash' | 'flag';

/** Reads the fields of one JSON object of an answer; every method throws GatewayAnswerError naming the field. */
export class Answer {
  readonly #values: object;

  constructor(
    readonly route: string,
    json: unknown,
  ) {
    if (typeof json !== 'object' || json === null || Array.isArray(json)) {
      throw new GatewayAnswerError(route, 'it is not an object');
    }
    this.#values = json;
  }

  /** A field that is null counts as left out. */
  has(name: string): boolean {
    return (this.#value(name) ?? null) !== null;
  }

  /** What can be done without: undefined for a field that is left out or makes no sense. */
  optional<Kind extends FieldKind>(name: string, kind: Kind): ReturnType<Answer[Kind]> | undefined {
    try {
      return this.has(name) ? (this[kind](name) as ReturnType<Answer[Kind]>) : undefined;
    } catch (error) {
      if (error instanceof GatewayAnswerError) {
        return undefined;
      }
      throw error;
    }
  }

  integer(name: string): bigint {
    const value = this.#value(name);
    if (typeof value === 'bigint') {
      return value;
    }
    if (typeof value === 'string' && /^-?\d{1,40}$/.test(value)) {
      return BigInt(value);
    }
    throw this.#fault(name, 'is not an integer');
  }

  /** An integer of at least 0 that a `number` holds exactly. */
  count(name: string): number {
    const value = this.integer(name);
    if (value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER)) {
      throw this.#fault(name, 'is out of range');
    }
    return Number(value);
  }

  /** At least 0. */
  amount(name: string): bigint {
    const value = this.integer(name);
    if (value < 0n) {
      throw this.#fault(name, 'is negative');
    }
    return value;
  }

  /** A measurement, such as a share of a processor: rounded as a `number` is. */
  decimal(name: string): number {
    const value = this.#value(name);
    const decimal = typeof value === 'bigint' ? Number(value) : value;
    if (typeof decimal !== 'number' || !Number.isFinite(decimal)) {
      throw this.#fault(name, 'is not a number');
    }
    return decimal;
  }

  /** One line without control characters, at most 300 characters long. */
  text(name: string): string {
    return cleanText(this.rawText(name));
  }

  /** As it came: not for a reader's eyes. */
  rawText(name: string): string {
    const value = this.#value(name);
    if (typeof value !== 'string') {
      throw this.#fault(name, 'is not a string');
    }
    return value;
  }

  /** What something is called, which some call by an integer: its digits, or the text as `text` reads it. */
  label(name: string): string {
    const value = this.#value(name);
    return typeof value === 'bigint' ? `${value}` : this.text(name);
  }

  /** An account for a reader's eyes: its `ZBC_` address, else its wire form in lower hex, else its text if the kind is unknown. */
  holder(name: string): string {
    const text = this.text(name);
    try {
      const account = parseAccount(text);
      return account.kind === KIND_ZBC ? formatAccount(account) : toHex(encodeAccount(account));
    } catch {
      return text;
    }
  }

  /** 32 bytes, in lower hex. */
  hash(name: string): string {
    return toHex(this.hex(name, HASH));
  }

  /** A `ZBC_` address, or the wire form in hex. */
  account(name: string): Account {
    try {
      return parseAccount(this.rawText(name));
    } catch {
      throw this.#fault(name, 'is not an account');
    }
  }

  /** Hex of any length, either case, `0x` or not; with `length` exactly that many bytes. */
  hex(name: string, length?: number): Uint8Array {
    const value = this.#value(name);
    const digits = typeof value === 'string' ? value.replace(/^0x/i, '') : '?';
    if (!/^([0-9a-f]{2})*$/i.test(digits)) {
      throw this.#fault(name, 'is not hex');
    }
    if (length !== undefined && digits.length !== 2 * length) {
      throw this.#fault(name, `is not ${length} bytes long`);
    }
    return fromHex(digits);
  }

  /** True or false, or the 1 or 0 of the wire format. */
  flag(name: string): boolean {
    const value = this.#value(name);
    if (typeof value === 'boolean') {
      return value;
    }
    if (value !== 0n && value !== 1n) {
      throw this.#fault(name, 'is not true or false');
    }
    return value === 1n;
  }

  object(name: string): Answer {
    return new Answer(this.route, this.#value(name));
  }

  /** Empty when it is left out. */
  list(name: string): Answer[] {
    return this.has(name) ? readList(this.route, this.#value(name), name) : [];
  }

  #value(name: string): unknown {
    return Object.hasOwn(this.#values, name) ? Reflect.get(this.#values, name) : undefined;
  }

  #fault(name: string, fault: string): GatewayAnswerError {
    return new GatewayAnswerError(this.route, `${name} ${fault}`);
  }
}

/** The objects of a list that is the answer itself, or one of its fields under `name`. */
export function readList(route: string, json: unknown, name: string): Answer[] {
  const list = Array.isArray(json) ? json : Reflect.get(Object(json), name);
  if (!Array.isArray(list)) {
    throw new GatewayAnswerError(route, `it has no list of ${name}`);
  }
  if (list.length > MAX_LIST) {
    throw new GatewayAnswerError(route, `it has more than ${MAX_LIST} ${name}`);
  }
  return list.map(item => new Answer(route, item));
}
