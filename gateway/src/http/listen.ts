import { type AddressInfo, isIPv4, type Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ConfigError, systemCode } from '../errors.js';
import type { NodeAddress } from '../upstream/node-address.js';

export const LOOPBACK = '127.0.0.1';
const ANY_ADDRESS = '0.0.0.0';

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program does',
  EACCES: 'this user may not',
  EADDRNOTAVAIL: 'this computer has no such address',
  ENOTFOUND: 'no computer has this name',
};

export interface ListenOptions {
  /** 0, the default, lets the system choose. */
  port?: number | undefined;
  /** 127.0.0.1 when left out. */
  host?: string | undefined;
}

/** Gives the URL of what listens now, without a slash at the end. */
export async function listen(app: FastifyInstance, { port = 0, host = LOOPBACK }: ListenOptions) {
  await app.listen({ port, host });
  return boundUrl(app.server);
}

/** Of a server that listens, without a slash at the end. */
export function boundUrl(server: Server, scheme: 'http' | 'https' = 'http'): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** What was to be started on this port; throws ConfigError CANNOT_LISTEN when it could not be. */
export async function orCannotListen<T>(host: string, port: number, starting: Promise<T>): Promise<T> {
  try {
    return await starting;
  } catch (error) {
    const code = systemCode(error);
    const reason = REASONS[code];
    const message = `cannot listen on ${host} port ${port}${reason === undefined ? '' : `: ${reason}`} (${code})`;
    throw new ConfigError('CANNOT_LISTEN', message, [], { cause: error });
  }
}

/** How a program on this computer reaches what listens at a URL of `listen`; undefined where that is IPv6 alone. */
export function localAddress(url: string): NodeAddress | undefined {
  const { hostname, port } = new URL(url);
  const ip = hostname === ANY_ADDRESS ? LOOPBACK : hostname;
  return isIPv4(ip) ? { ip, port: Number(port) } : undefined;
}
