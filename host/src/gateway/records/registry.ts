import { type Answer, readList } from '../answer.js';

/** The kinds of machines that the chain has a registry of, as the routes call them. */
export const REGISTRY_KINDS = ['nodes', 'gateways', 'relays', 'archivals'] as const;

export type RegistryKind = (typeof REGISTRY_KINDS)[number];

/** Who runs a machine says all of this of it; fields that a kind does not have are undefined. */
export interface RegistryEntry {
  /** As the registry writes it, cleaned: hex, or an address of the kind's own prefix. */
  publicKey: string;
  ip?: string | undefined;
  port?: number | undefined;
  /** Of a gateway. */
  host?: string | undefined;
  /** Of a relay, with its rate in atomic units a megabyte. */
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
