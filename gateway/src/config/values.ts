import { isIP, isIPv4, isIPv6 } from 'node:net';
import { isWebOrigin } from '@zbc-signer/chain';
import ipaddr from 'ipaddr.js';
import { MAX_PORT, type NodeAddress, UNRESOLVED } from '../base/node-address.js';
import { fault, type Reader } from './reader.js';

/** Leaves space for `ip-255-255-255-255-p65535.` within the 253 characters of a domain name. */
const MAX_HOST = 253 - 'ip-255-255-255-255-p65535.'.length;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const MIN_KEY = 32;
const MAX_KEY = 256;
const MAX_TEXT = 1024;

export const boolean: Reader<boolean> = (value, path) => {
  if (typeof value !== 'boolean') throw fault(path, 'must be true or false');
  return value;
};

export function integer(minimum: number, maximum: number): Reader<number> {
  return (value, path) => {
    const number = typeof value === 'bigint' ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isInteger(number) || number < minimum || number > maximum) {
      throw fault(path, `must be an integer from ${minimum} to ${maximum}`);
    }
    return number;
  };
}

/** Reads an amount in atomic units. */
export const amount: Reader<bigint> = (value, path) => {
  const number = typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof number !== 'bigint' || number < 0n || number >= 2n ** 64n) {
    throw fault(path, 'must be an integer number of atomic units');
  }
  return number;
};

/** A port to listen on; 0 lets the system choose a free port. */
export const listenPort = integer(0, MAX_PORT);

export const port = integer(1, MAX_PORT);

export const text: Reader<string> = (value, path) => {
  if (typeof value !== 'string' || value === '' || value.length > MAX_TEXT || value.includes('\0')) {
    throw fault(path, `must be a string of 1 to ${MAX_TEXT} characters`);
  }
  return value;
};

export function oneOf<Word extends string>(...words: readonly Word[]): Reader<Word> {
  return (value, path) => {
    const found = words.find(word => word === value);
    if (found === undefined) throw fault(path, `must be ${words.map(word => `"${word}"`).join(' or ')}`);
    return found;
  };
}

/**
 * A domain name, which is converted to lower case. Addresses are rejected, because node hostnames are
 * subdomains.
 */
export const hostName: Reader<string> = (value, path) => {
  const name = typeof value === 'string' ? value.toLowerCase() : '';
  if (!isDomainName(name)) {
    throw fault(path, `must be a domain name of at most ${MAX_HOST} characters, without a port`);
  }
  return name;
};

function isDomainName(name: string): boolean {
  const labels = name.split('.');
  return name.length <= MAX_HOST && labels.every(label => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1)!);
}

/** A domain name or an IPv4 address. */
export const otherHost: Reader<string> = (value, path) =>
  typeof value === 'string' && isIPv4(value) ? value : hostName(value, path);

/** An address of a node in canonical form: `isIP` rejects leading zeros in IPv4. */
export const ip: Reader<string> = (value, path) => {
  if (typeof value !== 'string' || isIP(value) === 0) throw fault(path, 'must be an IP address');
  return value;
};

/** A node's address as in a URL, and whether the node is asked over HTTPS. */
export interface NodeUrl extends NodeAddress {
  isTls: boolean;
}

const NODE_URL = /^(https?):\/\/(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::([1-9]\d{0,4}))?\/?$/;

/**
 * Parses `http(s)://HOST[:PORT]` of a node, whose host is a name, an IPv4 address or an IPv6 address in brackets.
 * Names of containers may have underscores. Returns undefined if the URL is another one.
 */
export function parseNodeUrl(url: string): NodeUrl | undefined {
  const [, scheme, host = '', digits] = NODE_URL.exec(url.toLowerCase()) ?? [];
  const isTls = scheme === 'https';
  const port = Number(digits ?? (isTls ? 443 : 80));
  if (scheme === undefined || port > MAX_PORT) return undefined;
  const literal = host.replace(/^\[|\]$/g, '');
  if (host.startsWith('[') ? isIPv6(literal) : isIPv4(literal)) {
    return { ip: ipaddr.parse(literal).toString(), port, isTls };
  }
  return isDomainName(host.replaceAll('_', '-')) ? { ip: UNRESOLVED, host, port, isTls } : undefined;
}

export const nodeUrl: Reader<NodeUrl> = (value, path) => {
  const parsed = typeof value === 'string' ? parseNodeUrl(value) : undefined;
  if (parsed === undefined) {
    throw fault(path, 'must be a URL without a path, such as http://192.0.2.10:8884 or https://node.example');
  }
  return parsed;
};

export const network: Reader<string> = (value, path) => {
  const isAddress = typeof value === 'string' && /[.:]/.test(value) && ipaddr.isValid(value);
  if (!isAddress && !(typeof value === 'string' && ipaddr.isValidCIDR(value))) {
    throw fault(path, 'must be an IP address or a network such as 192.0.2.0/24');
  }
  return value as string;
};

export const genesisHash: Reader<string> = (value, path) => {
  const digits = typeof value === 'string' ? value.toLowerCase().replace(/^0x/, '') : '';
  if (!/^[0-9a-f]{64}$/.test(digits)) throw fault(path, 'must be 64 hex digits');
  return digits;
};

/** The key is sent in a header, so it must be printable ASCII without spaces. */
export const adminKey: Reader<string> = (value, path) => {
  if (typeof value !== 'string' || value.length < MIN_KEY || value.length > MAX_KEY) {
    throw fault(path, `must be a string of ${MIN_KEY} to ${MAX_KEY} characters`);
  }
  if (!/^[!-~]+$/.test(value)) throw fault(path, 'must be printable ASCII without spaces');
  return value;
};

/** An HTTPS origin, which is returned without a trailing slash. */
export const publicUrl: Reader<string> = (value, path) => {
  const [, host] = (typeof value === 'string' && /^https:\/\/([^/?#@:\\]+)(?::\d+)?\/?$/.exec(value)) || [];
  if (host === undefined || !URL.canParse(value as string)) {
    throw fault(path, 'must be an origin such as https://gateway.example:8443');
  }
  otherHost(host, path);
  return new URL(value as string).origin;
};

/** An origin exactly as browsers write it, so that it can be compared as text. */
export const origin: Reader<string> = (value, path) => {
  if (typeof value !== 'string' || !isWebOrigin(value)) {
    throw fault(path, 'must be one exact origin such as https://app.example, without a path or a wildcard');
  }
  return value;
};
