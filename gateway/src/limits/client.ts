import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

interface From {
  /** Headers by lower-case name. */
  readonly headers: IncomingHttpHeaders;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

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
  readonly #proxies = new BlockList();

  constructor(trustedProxies: readonly string[]) {
    for (const text of trustedProxies) {
      const [address = '', bits] = text.split('/');
      const length = bits ?? (isIPv6(address) ? 128 : 32);
      this.#proxies.addSubnet(address, Number(length), isIPv6(address) ? 'ipv6' : 'ipv4');
    }
  }

  nameOf(request: From): string {
    return nameOfAddress(this.addressOf(request));
  }

  /** The whole address of a request's client; empty if it is unknown. */
  addressOf({ headers, socket }: From): string {
    let address = socket.remoteAddress ?? '';
    const forwarded = headers['x-forwarded-for'];
    if (forwarded === undefined) return address;
    for (const hop of String(forwarded).split(',').reverse()) {
      const next = hop.trim().replace(WITH_PORT, '$1$2');
      // A trusted proxy would have written an address, so the last valid address counts.
      if (next !== '' && (isIP(next) === 0 || !this.#isProxy(address))) break;
      if (next !== '') address = next;
    }
    return address;
  }

  /** The name of the client at the remote address of a connection; undefined for a trusted proxy. */
  nameOfConnection(address = ''): string | undefined {
    return this.#isProxy(address) ? undefined : nameOfAddress(address);
  }

  #isProxy(address: string): boolean {
    return isIP(address) !== 0 && this.#proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  }
}

function nameOfAddress(text: string): string {
  if (isIPv4(text)) return text;
  if (isIP(text) === 0) return UNKNOWN;
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv4) return address.toString();
  const prefix = address.toByteArray().fill(0, PREFIX_BITS / 8);
  return ipaddr.fromByteArray(prefix).toString();
}
