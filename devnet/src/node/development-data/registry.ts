import { sha3_256 } from '@noble/hashes/sha3.js';
import { publicKeyOf, toHex } from '@zbc-signer/chain';
import type { NodeAddress } from '@zbc-signer/gateway/server';
import { NODE_VERSION } from '../genesis.js';

/** The registered members of this network. They are read for every request. */
export interface Registry {
  nodes: readonly NodeAddress[];
  archivals: readonly NodeAddress[];
  /** Host names, with the port if it is not 443. */
  gateways: readonly string[];
  relays: readonly Relay[];
}

/** `rate` is in atomic units per megabyte. */
interface Relay {
  address: string;
  rate: bigint;
}

/** The relay that the registry and the gateway of `startDevnet` list. No relay runs at this address. */
export const DEVELOPMENT_RELAY: Relay = { address: 'relay.localhost:3478', rate: 25_000n };

export const EMPTY_REGISTRY: Registry = { nodes: [], archivals: [], gateways: [], relays: [] };

export function viewRegisteredNodes(kind: 'node' | 'archival', addresses: readonly NodeAddress[]) {
  return addresses.map(({ ip, port }, at) => ({
    ...identityOf(kind, at),
    ip,
    port,
    version: NODE_VERSION,
    ...REGISTERED,
  }));
}

export function viewRegisteredGateways(hosts: readonly string[]) {
  return hosts.map((host, at) => ({ ...identityOf('gateway', at), host, ...REGISTERED }));
}

export function viewRegisteredRelays(relays: readonly Relay[]) {
  return relays.map(({ address, rate }, at) => ({
    ...identityOf('relay', at),
    address,
    rate,
    ...REGISTERED,
  }));
}

/** All members are registered at the genesis. */
const REGISTERED = { registered_height: 0n };

function identityOf(kind: string, at: number) {
  return { public_key: toHex(developmentKey(`${kind} ${at + 1}`)) };
}

/** Returns the public key of a private key that anyone can derive; it protects nothing. */
export function developmentKey(name: string): Uint8Array {
  return publicKeyOf(sha3_256(new TextEncoder().encode(`ZBC development network ${name}`)));
}
