import type { FastifyRequest } from 'fastify';

/** Whether the client accepts HTML explicitly, as browsers do; a wildcard gets JSON. */
export function wantsPage({ headers }: FastifyRequest): boolean {
  const ranges = (headers.accept ?? '').split(',').map(range => range.split(';')[0]!.trim().toLowerCase());
  return ranges.includes('text/html');
}
