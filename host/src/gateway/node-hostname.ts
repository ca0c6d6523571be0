/** The address of a node's API: `ip` is IPv4 in dotted form, `port` is from 1 to 65535. */
export interface NodeAddress {
  ip: string;
  port: number;
}

const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);
const MAX_PORT = 65_535;

/**
 * The URL at which the gateway forwards requests to one node: a subdomain of the gateway's host name. For a
 * loopback address, the host name is `localhost`. Undefined if the gateway has any other IP address, because
 * it has no subdomains, or if the node's address is invalid.
 */
export function nodeUrl(gatewayUrl: string, { ip, port }: NodeAddress): string | undefined {
  const url = new URL(gatewayUrl);
  const host = isLoopback(url.hostname) ? 'localhost' : url.hostname;
  if (!IPV4.test(ip) || !Number.isInteger(port) || port < 1 || port > MAX_PORT || isIp(host)) {
    return undefined;
  }
  url.hostname = `ip-${ip.replaceAll('.', '-')}-p${port}.${host}`;
  return url.href.replace(/\/+$/, '');
}

/**
 * Whether a host name of a `URL` is a loopback address. `URL` normalises every IPv4 address to its dotted
 * form.
 */
function isLoopback(hostname: string): boolean {
  return hostname === '[::1]' || (IPV4.test(hostname) && hostname.startsWith('127.'));
}

function isIp(hostname: string): boolean {
  return hostname.startsWith('[') || IPV4.test(hostname);
}
