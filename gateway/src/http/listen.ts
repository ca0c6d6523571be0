import { type AddressInfo, isIPv4, type Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ConfigError, systemCode } from '../base/errors.js';
import { formatHostPort, type NodeAddress } from '../base/node-address.js';

/** Address that only this machine can reach. */
export const LOOPBACK = '127.0.0.1';
const ANY_ADDRESS = '0.0.0.0';

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'address already in use',
  EACCES: 'permission denied',
  EADDRNOTAVAIL: 'not an address of this machine',
  ENOTFOUND: 'unknown host name',
};

/** Port and address on which a server listens. */
export interface ListenOptions {
  /** Default: 0, which lets the system choose a free port. */
  port?: number | undefined;
  /** Default: 127.0.0.1. */
  host?: string | undefined;
}

/** Starts the app and returns its URL, without a trailing slash. */
export async function listen(app: FastifyInstance, { port = 0, host = LOOPBACK }: ListenOptions) {
  await app.listen({ port, host });
  return boundUrl(app.server);
}

/** The URL of a listening server, without a trailing slash. */
export function boundUrl(server: Server, scheme: 'http' | 'https' = 'http'): string {
  const { address, port } = server.address() as AddressInfo;
  return `${scheme}://${formatHostPort(address, port)}`;
}

/** The first descriptor that systemd passes (sd_listen_fds(3)). */
const FIRST_DESCRIPTOR = 3;

/** The listening socket that systemd passed to this process; undefined if there is none. */
export function inheritedSocket(): { fd: number } | undefined {
  const { LISTEN_FDS, LISTEN_PID } = process.env;
  return LISTEN_FDS !== undefined && LISTEN_PID === `${process.pid}` ? { fd: FIRST_DESCRIPTOR } : undefined;
}

/** Awaits a server's start; throws ConfigError LISTEN_FAILED if it fails. */
export async function orListenFailed<T>(host: string, port: number, starting: Promise<T>): Promise<T> {
  try {
    return await starting;
  } catch (error) {
    const code = systemCode(error);
    const reason = code in REASONS ? `: ${REASONS[code]}` : '';
    const message = `cannot listen on ${host} port ${port}${reason} (${code})`;
    throw new ConfigError('LISTEN_FAILED', message, [], { cause: error });
  }
}

/**
 * The IPv4 address at which this machine reaches a URL that `listen` returned. Undefined if the URL has an
 * IPv6 address.
 */
export function localAddress(url: string): NodeAddress | undefined {
  const { hostname, port } = new URL(url);
  const ip = hostname === ANY_ADDRESS ? LOOPBACK : hostname;
  return isIPv4(ip) ? { ip, port: Number(port) } : undefined;
}
