import type { IncomingHttpHeaders } from 'node:http';
import ipaddr from 'ipaddr.js';

type Network = ReturnType<typeof ipaddr.parseCIDR>;

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
 * Tells clients apart. It trusts only the parts of `X-Forwarded-For` that the given proxies (addresses or networks)
 * wrote. The name of a client is its IPv4 address, or the /64 prefix of its IPv6 address: one network, as the proxies
 * in front of several gateways count too.
 */
export class Clients {
  readonly #networks: readonly Network[];

  constructor(trustedProxies: readonly string[]) {
    this.#networks = trustedProxies.map(parseNetwork);
  }

  nameOf(request: From): string {
    if (this.#networks.length === 0) return nameOf(request.socket.remoteAddress);
    const address = this.#addressOf(request);
    return address === undefined ? UNKNOWN : nameOfAddress(address);
  }

  /** The whole address of a request's client, for the log. */
  addressOf(request: From): string {
    if (this.#networks.length === 0) return request.socket.remoteAddress ?? '';
    return this.#addressOf(request)?.toString() ?? '';
  }

  /** The name of the client at the remote address of a connection; undefined for a trusted proxy. */
  nameOfConnection(text: string | undefined): string | undefined {
    const address = this.#networks.length === 0 ? undefined : parseAddress(text);
    return address !== undefined && isIn(this.#networks, address) ? undefined : nameOf(text);
  }

  #addressOf(request: From) {
    let address = parseAddress(request.socket.remoteAddress);
    for (const hop of forwardedFor(request).reverse()) {
      const next = parseAddress(hop.replace(WITH_PORT, '$1$2'));
      // A trusted proxy would have written an address, so the last valid address counts.
      if (next === undefined || address === undefined || !isIn(this.#networks, address)) break;
      address = next;
    }
    return address;
  }
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
