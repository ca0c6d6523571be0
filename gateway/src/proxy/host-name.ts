import { RequestError } from '../base/errors.js';
import { MAX_PORT, type NodeAddress } from '../base/node-address.js';

export interface HostNames {
  /** Lower case, without a port. */
  gatewayHost: string;
  otherHosts: readonly string[];
  /** The port of a node whose host name has none. */
  nodePort: number;
}

const HOST = /^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::([1-9]\d{0,4}))?$/;
const NODE_LABEL = /^ip-(\d{1,3})-(\d{1,3})-(\d{1,3})-(\d{1,3})(?:-p([1-9]\d{0,4}))?$/;
const MAX_HOST_CHARACTERS = 320;
const IPV4_IN_IPV6 = '::ffff:';

/**
 * Resolves a Host header to the gateway or to a node's address, not yet looked up in the allowlist.
 * `localAddress` is the connection's local address. Throws RequestError 403 for any other name.
 */
export function parseHost(header: string, names: HostNames, localAddress: string): 'gateway' | NodeAddress {
  const [, name, port] = (header.length <= MAX_HOST_CHARACTERS && HOST.exec(header)) || [];
  if (name === undefined || Number(port ?? 0) > MAX_PORT) throw refusal();
  const host = name.toLowerCase();
  if (host === names.gatewayHost || names.otherHosts.includes(host)) return 'gateway';
  const suffix = `.${names.gatewayHost}`;
  if (host.endsWith(suffix)) return parseNodeLabel(host.slice(0, -suffix.length), names.nodePort);
  if (host === literal(localAddress)) return 'gateway';
  throw refusal();
}

function parseNodeLabel(label: string, nodePort: number): NodeAddress {
  const match = NODE_LABEL.exec(label);
  if (match === null) throw refusal();
  const octets = match.slice(1, 5);
  const port = match[5] === undefined ? nodePort : Number(match[5]);
  if (!octets.every(isCanonicalOctet) || port > MAX_PORT) throw refusal();
  return { ip: octets.join('.'), port };
}

/** Rejects leading zeros, which some parsers read as octal. */
function isCanonicalOctet(digits: string): boolean {
  return String(Number(digits)) === digits && Number(digits) <= 255;
}

function literal(address: string): string {
  if (address.startsWith(IPV4_IN_IPV6)) return address.slice(IPV4_IN_IPV6.length);
  return address.includes(':') ? `[${address}]` : address;
}

function refusal(): RequestError {
  return new RequestError(403, 'Host not served');
}
