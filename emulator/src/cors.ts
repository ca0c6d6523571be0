import { isIP } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * A hook that lets pages of this machine call the emulator, and its own page when it was bound elsewhere; refuses every
 * other page. A foreign page can make a name of its own point at this machine (DNS rebinding) and then reads without an
 * Origin, so a request must also have been addressed to an address, to localhost, or to `boundName`.
 */
export function guardAgainstPages(
  boundName?: string,
): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> {
  return async (request, reply) => {
    const { origin, host } = request.headers;
    if (host !== undefined && !isSafeName(hostnameOf(`http://${host}`), boundName)) {
      return reply.code(403).send({ error: 'not a name of the emulator; use its address' });
    }
    if (origin === undefined) return;
    if (!isAllowed(origin, host, boundName)) {
      return reply.code(403).send({ error: 'pages of other origins may not use the emulator' });
    }
    return allowOrigin(origin, request, reply);
  };
}

function allowOrigin(origin: string, request: FastifyRequest, reply: FastifyReply): unknown {
  // On the raw response, so that replies which are streamed by hand carry it too.
  reply.raw.setHeader('access-control-allow-origin', origin);
  reply.raw.setHeader('vary', 'origin');
  if (request.method !== 'OPTIONS') return undefined;
  reply.raw.setHeader('access-control-allow-methods', 'GET, POST, DELETE');
  reply.raw.setHeader('access-control-allow-headers', 'content-type');
  return reply.code(204).send();
}

function isAllowed(origin: string, ownHost: string | undefined, boundName: string | undefined): boolean {
  const hostname = hostnameOf(origin);
  if (LOOPBACK.test(hostname)) return true;
  return isSafeName(hostname, boundName) && new URL(origin).host === ownHost;
}

/** An address cannot be made to point elsewhere; of names, only these are known to be this machine's. */
function isSafeName(hostname: string, boundName: string | undefined): boolean {
  const isAddress = isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0;
  return isAddress || hostname === 'localhost' || (hostname !== '' && hostname === boundName?.toLowerCase());
}

function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}
