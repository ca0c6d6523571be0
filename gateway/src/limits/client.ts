import type { IncomingHttpHeaders } from 'node:http';
import ipaddr from 'ipaddr.js';

type Network = ReturnType<typeof ipaddr.parseCIDR>;

/**
 * Returns the name of a request's client: its IPv4 address, or the /64 prefix of its IPv6 address: one
 * network, as the proxies in front of several gateways count too.
 */
export type ClientNamer = (request: From) => string;

interface From {
  /** Headers by lower-case name. */
  readonly headers: IncomingHttpHeaders;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

const IPV4 = /^\d+\.\d+\.\d+\.\d+$/;
const PREFIX_BITS = 64;
/**
 * Matches an address with a port, as some proxies write it. The pattern never backtracks, so long texts are
 * not disproportionately slow.
 */
const WITH_PORT = /^(?:\[([^[\]:]*:[^[\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/;
const UNKNOWN = 'unknown';

/**
 * Creates a ClientNamer that trusts only the parts of `X-Forwarded-For` that the given proxies (addresses or
 * networks) wrote.
 */
export function createClientNamer(trustedProxies: readonly string[]): ClientNamer {
  const networks = trustedProxies.map(parseNetwork);
  if (networks.length === 0) return request => nameOf(request.socket.remoteAddress);
  return request => {
    const address = addressOf(request, networks);
    return address === undefined ? UNKNOWN : nameOfAddress(address);
  };
}

/** The whole address of a request's client, for the log; trusts the same proxies as `createClientNamer`. */
export function createClientAddresser(trustedProxies: readonly string[]): (request: From) => string {
  const networks = trustedProxies.map(parseNetwork);
  if (networks.length === 0) return ({ socket }) => socket.remoteAddress ?? '';
  return request => addressOf(request, networks)?.toString() ?? '';
}

function addressOf(request: From, networks: readonly Network[]) {
  let address = parseAddress(request.socket.remoteAddress);
  for (const hop of forwardedFor(request).reverse()) {
    const next = parseAddress(hop.replace(WITH_PORT, '$1$2'));
    // A trusted proxy would have written an address, so the last valid address counts.
    if (next === undefined || address === undefined || !isIn(networks, address)) break;
    address = next;
  }
  return address;
}

/**
 * Returns a function that converts the remote address of a connection to the client's name. It returns
 * undefined for the addresses of these proxies.
 */
export function createAddressNamer(
  trustedProxies: readonly string[],
): (address: string | undefined) => string | undefined {
  const networks = trustedProxies.map(parseNetwork);
  return text => {
    const address = networks.length === 0 ? undefined : parseAddress(text);
    return address !== undefined && isIn(networks, address) ? undefined : nameOf(text);
  };
}

function nameOf(text: string | undefined): string {
  if (text !== undefined && IPV4.test(text)) return text;
  const address = parseAddress(text);
  return address === undefined ? UNKNOWN : nameOfAddress(address);
}

function nameOfAddress(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  if (address instanceof ipaddr.IPv4) return address.toString();
  const prefix = address.toByteArray().fill(0, PREFIX_BITS / 8);
  return ipaddr.fromByteArray(prefix).toString();
}

/** Parses an address. An IPv4-mapped IPv6 address becomes an IPv4 address. */
function parseAddress(text: string | undefined): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const word = text?.trim() ?? '';
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(word) || ipaddr.IPv6.isValid(word);
  return isAddress ? ipaddr.process(word) : undefined;
}

function parseNetwork(text: string): Network {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, 8 * address.toByteArray().length] as Network;
}

function isIn(networks: readonly Network[], address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return networks.some(network => address.kind() === network[0].kind() && address.match(network));
}

/** Returns the addresses in X-Forwarded-For. The one that the nearest proxy added is last. */
function forwardedFor({ headers }: From): string[] {
  const header = headers['x-forwarded-for'];
  return (Array.isArray(header) ? header.join(',') : (header ?? ''))
    .split(',')
    .map(hop => hop.trim())
    .filter(hop => hop !== '');
}
