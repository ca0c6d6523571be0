import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { MAX_PORT, type NodeAddress, UNRESOLVED } from './node-address.js';

/** Leaves space for `ip-255-255-255-255-p65535.` within the 253 characters of a domain name. */
const MAX_HOST = 253 - 'ip-255-255-255-255-p65535.'.length;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
/** A host, with IPv6 in brackets, and a port. */
const HOST_AND_PORT = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/;
const NODE_URL = /^(https?):\/\/([^/]+)\/?$/;
const PUBLIC_URL = /^https:\/\/([^/?#@:\\]+)(?::\d+)?\/?$/;

/** Whether this is a domain name. Addresses are none, because node hostnames are subdomains. */
export function isDomainName(name: string): boolean {
  const labels = name.split('.');
  return name.length <= MAX_HOST && labels.every(label => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1)!);
}

/** Whether this is a domain name or an IPv4 address. */
export function isHost(host: string): boolean {
  return isIPv4(host) || isDomainName(host);
}

/** Whether this is `https://HOST[:PORT]`. */
export function isPublicUrl(url: string): boolean {
  const host = PUBLIC_URL.exec(url)?.[1];
  return host !== undefined && isHost(host) && URL.canParse(url);
}

/**
 * Parses `HOST[:PORT]` and returns the host without brackets, in lower case. Names of containers may have
 * underscores. Returns undefined if it is no such text.
 */
function parseHostAndPort(text: string): { host: string; port: number | undefined } | undefined {
  const [, host = '', digits] = HOST_AND_PORT.exec(text.toLowerCase()) ?? [];
  const port = digits === undefined ? undefined : Number(digits);
  const literal = host.replace(/^\[|\]$/g, '');
  const isLiteral = host.startsWith('[') && isIPv6(literal);
  if (!isLiteral && !isHost(host.replaceAll('_', '-'))) return undefined;
  return port !== undefined && port > MAX_PORT ? undefined : { host: literal, port };
}

/** The address of a listener; port 0 lets the system choose. */
export interface ListenAddress {
  host: string;
  port: number;
}

/** Parses `HOST:PORT` of a listener; returns undefined if it is no such text. */
export function parseListen(text: string): ListenAddress | undefined {
  const { host, port } = parseHostAndPort(text) ?? {};
  return host === undefined || port === undefined ? undefined : { host, port };
}

/** A node's address as in a URL, and whether the node is asked over HTTPS. */
export interface NodeUrl extends NodeAddress {
  isTls: boolean;
}

/**
 * Parses `http(s)://HOST[:PORT]` of a node, whose host is a name, an IPv4 address or an IPv6 address in brackets.
 * Returns undefined if the URL is another one.
 */
export function parseNodeUrl(url: string): NodeUrl | undefined {
  const [, scheme, authority = ''] = NODE_URL.exec(url.toLowerCase()) ?? [];
  const found = parseHostAndPort(authority);
  if (found === undefined || found.port === 0) return undefined;
  const isTls = scheme === 'https';
  const { host, port = isTls ? 443 : 80 } = found;
  if (isIPv4(host) || isIPv6(host)) return { ip: ipaddr.parse(host).toString(), port, isTls };
  return { ip: UNRESOLVED, host, port, isTls };
}
