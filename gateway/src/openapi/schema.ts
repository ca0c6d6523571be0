import { MAX_PORT } from '../base/node-address.js';

/** A JSON Schema of draft 2020-12, as in OpenAPI 3.1. */
export type Schema = Readonly<Record<string, unknown>>;

/** An object with these fields; a name that ends in `?` may be left out. */
export function record(fields: Readonly<Record<string, Schema>>): Schema {
  const names = Object.keys(fields);
  const plain = (name: string) => name.replace(/\?$/, '');
  return {
    type: 'object',
    required: names.filter(name => !name.endsWith('?')),
    properties: Object.fromEntries(names.map(name => [plain(name), fields[name]])),
  };
}

export const listOf = (items: Schema): Schema => ({ type: 'array', items });

export const oneOf = (...values: readonly string[]): Schema => ({ type: 'string', enum: values });

export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** The schema with a description. */
export const described = (description: string, schema: Schema): Schema => ({ ...schema, description });

export const TEXT: Schema = { type: 'string' };
export const FLAG: Schema = { type: 'boolean' };
export const NUMBER: Schema = { type: 'number' };
export const INT64: Schema = { type: 'integer', format: 'int64' };
export const UINT64: Schema = { type: 'integer', format: 'uint64', minimum: 0 };
export const COUNT: Schema = { type: 'integer', format: 'int32', minimum: 0 };
export const PORT: Schema = { type: 'integer', format: 'int32', minimum: 1, maximum: MAX_PORT };
export const SECONDS = described('Unix seconds', UINT64);
export const ATOMS = described('Atomic units', UINT64);
export const HASH: Schema = { type: 'string', pattern: '^[0-9A-Fa-f]{64}$', description: '32 bytes in hex' };
export const HEX: Schema = { type: 'string', pattern: '^([0-9A-Fa-f]{2})*$' };
export const ACCOUNT_HEX = described('The wire form of an account in hex', HEX);
export const TOKEN_ID = described('Signed; 0 is the coin', INT64);
export const IPV4: Schema = { type: 'string', format: 'ipv4' };
