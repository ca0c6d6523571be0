import { fromHex } from '@zbc-signer/chain';
import { ValidationError } from '../../errors.js';

/** Reads the fields of a JSON object by type. Every method throws ValidationError, which names the field. */
export class JsonFields {
  readonly #values: object;
  readonly #prefix: string;

  constructor(values: object, prefix: string) {
    this.#values = values;
    this.#prefix = prefix;
  }

  /** Whether the field is present. A field that is null counts as absent. */
  has(name: string): boolean {
    return (this.#value(name) ?? null) !== null;
  }

  integer(name: string, max: bigint): bigint {
    const value = this.#value(name);
    if (typeof value !== 'bigint' || value < 0n || value > max) {
      throw this.#fault(name, `must be an integer from 0 to ${max}`);
    }
    return value;
  }

  string(name: string): string {
    const value = this.#value(name);
    if (typeof value !== 'string') throw this.#fault(name, 'must be a string');
    return value;
  }

  hex(name: string): Uint8Array {
    const value = this.#value(name);
    if (typeof value !== 'string' || !/^([0-9a-f]{2})*$/i.test(value)) {
      throw this.#fault(name, 'must be a string of hex digits, two per byte');
    }
    return fromHex(value);
  }

  boolean(name: string): boolean {
    const value = this.#value(name);
    if (typeof value === 'boolean') return value;
    if (value !== 0n && value !== 1n) throw this.#fault(name, 'must be true, false, 0 or 1');
    return value === 1n;
  }

  object(name: string): JsonFields {
    return readFields(this.#value(name), `${this.#prefix}${name}`);
  }

  convert<T>(name: string, conversion: () => T): T {
    try {
      return conversion();
    } catch (error) {
      throw this.#fault(name, `is not valid: ${error instanceof Error ? error.message : 'not valid'}`);
    }
  }

  #value(name: string): unknown {
    return Object.hasOwn(this.#values, name) ? Reflect.get(this.#values, name) : undefined;
  }

  #fault(name: string, fault: string): ValidationError {
    return new ValidationError(`${this.#prefix}${name} ${fault}`);
  }
}

/** Reads an object. `path` names the object in errors; it is empty for the request itself. */
export function readFields(json: unknown, path: string): JsonFields {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new ValidationError(`${path || 'the request body'} must be an object`);
  }
  return new JsonFields(json, path && `${path}.`);
}
