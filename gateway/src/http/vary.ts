import type { FastifyReply } from 'fastify';

/** Adds the name of a request header, in lower case, on which the response depends. */
export function addVary(reply: FastifyReply, name: string): void {
  reply.header('vary', varyWith(String(reply.getHeader('vary') ?? ''), name));
}

/** The value of a Vary header with one more name, in lower case. */
export function varyWith(known: string | undefined, name: string): string {
  if (known === undefined || known === '') return name;
  const names = known.split(',').map(each => each.trim().toLowerCase());
  return names.includes(name) || names.includes('*') ? known : `${known}, ${name}`;
}
