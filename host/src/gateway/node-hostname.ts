/** A node's API: `ip` in dotted form, `port` from 1 to 65535. */
export interface NodeAddress {
  ip: string;
  port: number;
}

const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);
const MAX_PORT = 65_535;

/**
 * Where the gateway at `gatewayUrl` answers for one node (interface.md "Reaching one specific node"). A gateway of this
 * machine is `localhost` there; undefined for one known by another IP address, which has no names under it, and for what is
 * not the address of a node.
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

/** URLs write every IPv4 address in its dotted form. */
function isLoopback(hostname: string): boolean {
  return hostname === '[::1]' || (IPV4.test(hostname) && hostname.startsWith('127.'));
}

function isIp(hostname: string): boolean {
  return hostname.startsWith('[') || IPV4.test(hostname);
}
