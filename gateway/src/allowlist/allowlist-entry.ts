import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { RequestError } from '../base/errors.js';
import { MAX_PORT, type NodeAddress, type NodeRole } from '../base/node-address.js';

/** IPv4 ranges whose addresses never belong to a single machine. */
const NOT_UNICAST = new Set(['unspecified', 'broadcast', 'multicast']);

/**
 * Fields that a request may have. Only `ip`, `port` and `role` are read; the others are allowed so that an
 * entry of the list can be sent back unchanged.
 */
const FIELDS = ['ip', 'port', 'role', 'source', 'answers', 'cordoned'];

/**
 * Parses the address of a node in a request body (docs/gateway/routes.md#allowlist). Throws RequestError,
 * which names the invalid field.
 */
export function parseEntry(body: unknown, nodePort: number): NodeAddress {
  const fields = fieldsOf(body);
  const isKnown = Object.keys(fields).every(name => FIELDS.includes(name));
  if (!isKnown) throw new RequestError(400, 'Request body may have only the fields ip, port and role');
  return { ip: parseIp(fields.ip), port: fields.port === undefined ? nodePort : parsePort(fields.port) };
}

/** Parses the role in a request body; returns undefined if it is omitted. */
export function parseRole(body: unknown): NodeRole | undefined {
  const { role } = fieldsOf(body);
  if (role !== undefined && role !== 'full' && role !== 'archival') {
    throw new RequestError(400, 'role must be "full" or "archival"');
  }
  return role;
}

function fieldsOf(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new RequestError(400, 'Request body must be a JSON object with an ip');
  }
  return { ...body };
}

function parseIp(value: unknown): string {
  if (typeof value !== 'string' || !isIPv4(value)) {
    throw new RequestError(400, 'ip must be an IPv4 address such as 192.0.2.10');
  }
  if (NOT_UNICAST.has(ipaddr.IPv4.parse(value).range())) {
    throw new RequestError(400, 'ip must be a unicast address');
  }
  return value;
}

function parsePort(value: unknown): number {
  if (typeof value !== 'bigint' || value < 1n || value > MAX_PORT) {
    throw new RequestError(400, `port must be an integer from 1 to ${MAX_PORT}`);
  }
  return Number(value);
}
