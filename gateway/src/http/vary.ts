import type { FastifyReply } from 'fastify';

/** Adds the name of a request header, in lower case, on which the response depends. */
export function addVary(reply: FastifyReply, name: string): void {
  const known = String(reply.getHeader('vary') ?? '');
  const names = known.split(',').map(each => each.trim().toLowerCase());
  if (!names.includes(name)) reply.header('vary', known === '' ? name : `${known}, ${name}`);
}
