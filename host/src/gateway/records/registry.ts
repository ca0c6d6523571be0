import { type Answer, readList } from '../answer.js';

/** A registry of the chain, named as in its route. */
export type RegistryKind = 'nodes' | 'gateways' | 'relays' | 'archivals';

/** An entry as its operator registered it. Fields that its kind of entry lacks are undefined. */
export interface RegistryEntry {
  /** The key as text: hex, or an address with the prefix of the entry's kind. */
  publicKey: string;
  ip?: string | undefined;
  port?: number | undefined;
  /** The field is set only for gateways. */
  host?: string | undefined;
  /** The field is set only for relays; `rate` is in atomic units per megabyte. */
  address?: string | undefined;
  rate?: bigint | undefined;
  version?: string | undefined;
  registeredHeight?: bigint | undefined;
}

export function readRegistry(route: string, json: unknown, kind: RegistryKind): RegistryEntry[] {
  return readList(route, json, kind).map(readEntry);
}

function readEntry(answer: Answer): RegistryEntry {
  return {
    publicKey: answer.text('public_key'),
    ip: answer.optional('ip', 'text'),
    port: answer.optional('port', 'count'),
    host: answer.optional('host', 'text'),
    address: answer.optional('address', 'text'),
    rate: answer.optional('rate', 'amount'),
    version: answer.optional('version', 'label'),
    registeredHeight: answer.optional('registered_height', 'amount'),
  };
}
