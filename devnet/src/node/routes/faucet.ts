import { RequestError } from '@zbc-signer/gateway/server';
import type { FastifyInstance } from 'fastify';
import type { DevelopmentChain } from '../chain/development-chain.js';
import { GRANT } from '../chain/grant.js';
import { COIN } from '../genesis.js';
import { parseAddressParameter } from '../http/parameters.js';

/** `POST /faucet {"address"}` pays the grant and answers once it is confirmed. */
export function addFaucetRoutes(app: FastifyInstance, chain: DevelopmentChain): void {
  app.post('/faucet', ({ body }) => {
    const { hashes, height } = chain.grant(parseAddressParameter(readAddress(body)));
    const [coins, ...tokens] = GRANT.map(({ tokenId, amount }, at) => ({
      ...(tokenId !== COIN && { token_id: tokenId }),
      amount,
      transaction_hash: hashes[at],
    }));
    return { success: true, ...coins, tokens, block_height: height };
  });
}

function readAddress(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, 'address')) {
    throw new RequestError(400, 'Request body must be an object with an address');
  }
  return Reflect.get(body, 'address');
}
