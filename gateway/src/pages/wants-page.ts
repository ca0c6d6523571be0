import type { FastifyRequest } from 'fastify';

/** Whether a person's browser asks; programs that accept anything are told in JSON. */
export function wantsPage({ headers }: FastifyRequest): boolean {
  const ranges = (headers.accept ?? '').split(',').map(range => range.split(';')[0]!.trim().toLowerCase());
  return ranges.includes('text/html');
}
