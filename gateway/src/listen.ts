import type { AddressInfo } from 'node:net';
import { isIPv4 } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { NodeAddress } from './upstream/node-address.js';

export const LOOPBACK = '127.0.0.1';
const ANY_ADDRESS = '0.0.0.0';

export interface ListenOptions {
  /** 0, the default, lets the system choose. */
  port?: number | undefined;
  /** 127.0.0.1 when left out. */
  host?: string | undefined;
}

/** Gives the URL of what listens now, without a slash at the end. */
export async function listen(app: FastifyInstance, { port = 0, host = LOOPBACK }: ListenOptions) {
  await app.listen({ port, host });
  const bound = app.server.address() as AddressInfo;
  const name = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
  return `http://${name}:${bound.port}`;
}

/** How a program on this computer reaches what listens at a URL of `listen`; undefined where that is IPv6 alone. */
export function localAddress(url: string): NodeAddress | undefined {
  const { hostname, port } = new URL(url);
  const ip = hostname === ANY_ADDRESS ? LOOPBACK : hostname;
  return isIPv4(ip) ? { ip, port: Number(port) } : undefined;
}
