import type { FastifyInstance } from 'fastify';

/** Tells browsers to use HTTPS alone for this host name for so long (RFC 6797). */
export function addTransportSecurity(app: FastifyInstance, seconds: number): void {
  if (seconds === 0) return;
  const value = `max-age=${seconds}`;
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('strict-transport-security', value);
    done();
  });
}
