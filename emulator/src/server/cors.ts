import { isIP } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';

const READS = ['GET', 'HEAD', 'OPTIONS'];
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Additional clients of the servers, besides those on this machine. */
export interface AllowedClients {
  /** Origins of pages that may use the REST API, such as `https://gateway.example`. */
  allowedOrigins?: readonly string[] | undefined;
  /** Host names by which clients reach the servers, such as the name of a compose service. */
  allowedHosts?: readonly string[] | undefined;
}

/**
 * A hook that admits pages of this machine, the emulator's own page and pages of `allowedOrigins`, and
 * rejects every other origin. A request without an Origin, from a page of another site, may only read,
 * because the browser hides the response from that page. After DNS rebinding, however, a page can read such a
 * response. Therefore the Host must be an IP address, localhost, `boundName` or one of `allowedHosts`.
 */
export function rejectForeignPages(
  boundName?: string,
  { allowedOrigins = [], allowedHosts = [] }: AllowedClients = {},
): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> {
  const names = [...(boundName === undefined ? [] : [boundName]), ...allowedHosts].map(name =>
    name.toLowerCase(),
  );
  return async (request, reply) => {
    const { origin, host, 'sec-fetch-site': site } = request.headers;
    if (host !== undefined && !isSafeName(hostnameOf(`http://${host}`), names)) {
      return reply
        .code(403)
        .send({ error: 'unknown host name; use the IP address, or allow the name with --allow-host' });
    }
    const isAdmitted =
      origin === undefined
        ? site !== 'cross-site' || READS.includes(request.method)
        : allowedOrigins.includes(origin) || isAllowed(origin, host, names);
    if (!isAdmitted)
      return reply.code(403).send({ error: 'this origin is not allowed; allow it with --allow-origin' });
    return origin === undefined ? undefined : allowOrigin(origin, request, reply);
  };
}

function allowOrigin(origin: string, request: FastifyRequest, reply: FastifyReply): unknown {
  // The header is set on the raw response, so that hijacked replies have it too.
  reply.raw.setHeader('access-control-allow-origin', origin);
  reply.raw.setHeader('vary', 'origin');
  if (request.method !== 'OPTIONS') return undefined;
  reply.raw.setHeader('access-control-allow-methods', 'GET, POST, DELETE');
  reply.raw.setHeader('access-control-allow-headers', 'content-type');
  return reply.code(204).send();
}

function isAllowed(origin: string, ownHost: string | undefined, names: readonly string[]): boolean {
  const hostname = hostnameOf(origin);
  if (LOOPBACK.test(hostname)) return true;
  return isSafeName(hostname, names) && new URL(origin).host === ownHost;
}

/** DNS cannot rebind an IP address. A name is safe only if it is known to belong to this machine. */
function isSafeName(hostname: string, names: readonly string[]): boolean {
  const isAddress = isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0;
  return isAddress || hostname === 'localhost' || (hostname !== '' && names.includes(hostname));
}

function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}
