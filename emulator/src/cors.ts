import { isIP } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Lets pages of this machine call the emulator, and its own page when it was bound elsewhere; refuses every other page.
 * A host name would not do for "its own": a foreign page can point a name of its own at this machine.
 */
export async function allowOrigin(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { origin } = request.headers;
  if (origin === undefined) return;
  if (!isAllowed(origin, request.headers.host)) {
    return reply.code(403).send({ error: 'pages of other origins may not use the emulator' });
  }
  // On the raw response, so that replies which are streamed by hand carry it too.
  reply.raw.setHeader('access-control-allow-origin', origin);
  reply.raw.setHeader('vary', 'origin');
  if (request.method !== 'OPTIONS') return;
  reply.raw.setHeader('access-control-allow-methods', 'GET, POST, DELETE');
  reply.raw.setHeader('access-control-allow-headers', 'content-type');
  return reply.code(204).send();
}

function isAllowed(origin: string, ownHost: string | undefined): boolean {
  if (!URL.canParse(origin)) return false;
  const { hostname, host } = new URL(origin);
  const isAddress = isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0;
  return LOOPBACK.test(hostname) || (isAddress && host === ownHost);
}
