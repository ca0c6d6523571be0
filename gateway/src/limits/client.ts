import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

type Network = ReturnType<typeof ipaddr.parseCIDR>;

/** Who asks: an IPv4 address, or the 64 leading bits of an IPv6 one, which are one household's. */
export type ClientOf = (request: IncomingMessage) => string;

const IPV4 = /^\d+\.\d+\.\d+\.\d+$/;
const HOUSEHOLD_BITS = 64;
const UNKNOWN = 'unknown';

/** Believes `X-Forwarded-For` only as far as it was written by the proxies given, addresses or networks. */
export function clientNaming(trustedProxies: readonly string[]): ClientOf {
  const networks = trustedProxies.map(parseNetwork);
  if (networks.length === 0) {
    return request => nameOf(request.socket.remoteAddress);
  }
  return request => {
    let address = parseAddress(request.socket.remoteAddress);
    for (const hop of forwardedFor(request).reverse()) {
      const next = parseAddress(hop);
      // What is no address was not written by a proxy: then the last one that is known has to do.
      if (next === undefined || address === undefined || !isIn(networks, address)) break;
      address = next;
    }
    return address === undefined ? UNKNOWN : nameOfAddress(address);
  };
}

function nameOf(text: string | undefined): string {
  if (text !== undefined && IPV4.test(text)) {
    return text;
  }
  const address = parseAddress(text);
  return address === undefined ? UNKNOWN : nameOfAddress(address);
}

function nameOfAddress(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  if (address instanceof ipaddr.IPv4) {
    return address.toString();
  }
  const household = address.toByteArray().fill(0, HOUSEHOLD_BITS / 8);
  return ipaddr.fromByteArray(household).toString();
}

/** An IPv4 address that is written as IPv6 is the IPv4 one. */
function parseAddress(text: string | undefined): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const word = text?.trim() ?? '';
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(word) || ipaddr.IPv6.isValid(word);
  return isAddress ? ipaddr.process(word) : undefined;
}

function parseNetwork(text: string): Network {
  if (text.includes('/')) {
    return ipaddr.parseCIDR(text);
  }
  const address = ipaddr.process(text);
  return [address, 8 * address.toByteArray().length] as Network;
}

function isIn(networks: readonly Network[], address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return networks.some(network => address.kind() === network[0].kind() && address.match(network));
}

/** The nearest proxy's word last. */
function forwardedFor({ headers }: IncomingMessage): string[] {
  const header = headers['x-forwarded-for'];
  return (Array.isArray(header) ? header.join(',') : (header ?? ''))
    .split(',')
    .filter(hop => hop.trim() !== '');
}
