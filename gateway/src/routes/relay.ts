import type { FastifyInstance } from 'fastify';
import { RequestError } from '../base/errors.js';
import type { GatewayContext } from '../gateway-context.js';

/**
 * `GET /relay/info`: the configured relay; clients compare its genesis hash with their node's before they
 * pay.
 */
export function addRelayRoute(app: FastifyInstance, { config }: GatewayContext): void {
  app.get('/relay/info', () => {
    if (config.relay === undefined) throw new RequestError(404, 'This gateway has no relay');
    const { address, rate, genesisHash } = config.relay;
    return { address, rate, genesis_hash: genesisHash };
  });
}
