import type { FastifyInstance } from 'fastify';
import { RequestError } from '../errors.js';
import type { GatewayContext } from '../gateway-context.js';

/** `GET /relay/info`: the configured relay; a client compares its genesis hash with its node's before it pays. */
export function addRelayRoute(app: FastifyInstance, { config }: GatewayContext): void {
  app.get('/relay/info', () => {
    if (config.relay === undefined) {
      throw new RequestError(404, 'This gateway has no relay');
    }
    const { address, rate, genesisHash } = config.relay;
    return { address, rate, genesis_hash: genesisHash };
  });
}
