import type { FastifyInstance } from 'fastify';
import { RequestError } from '../base/errors.js';
import { CHALLENGE_PATH, readChallenge } from '../files/acme-challenge.js';

interface TokenPath {
  Params: { token: string };
}

/** `GET /.well-known/acme-challenge/<token>`: shows a certificate authority whose host name this is. */
export function addAcmeRoute(app: FastifyInstance, webroot: string): void {
  app.get<TokenPath>(`${CHALLENGE_PATH}:token`, async ({ params }, reply) => {
    const answer = await readChallenge(webroot, params.token);
    if (answer === undefined) throw new RequestError(404, 'No such challenge');
    return reply.type('application/octet-stream').send(answer);
  });
}
