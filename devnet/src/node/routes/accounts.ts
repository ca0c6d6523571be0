import { RequestError } from '@zbc-signer/gateway/server';
import type { FastifyInstance } from 'fastify';
import { latestBlock } from '../chain/block.js';
import type { ChainReader, DevelopmentChain } from '../chain/development-chain.js';
import { GRANT } from '../chain/grant.js';
import { COIN, findToken, TOKENS } from '../genesis.js';
import { EmptyNotFoundError } from '../http/chain-app.js';
import { MIN_I64, parseAddressParameter, parseIntegerParameter, requireFound } from '../http/parameters.js';
import type { Store } from '../store/store.js';
import { viewAccount, viewAccountTokens, viewToken } from '../views/account.js';

interface AccountRequest {
  Params: { address: string };
  Querystring: { height?: unknown };
}

export function addAccountRoutes(app: FastifyInstance, { store }: ChainReader): void {
  app.get<AccountRequest>('/api/v1/accounts/:address', ({ params, query }) => {
    refuseHeight(store, query.height);
    return requireFound(viewAccount(store, parseAddressParameter(params.address)), 'Account');
  });
  app.get<AccountRequest>('/api/v1/accounts/:address/tokens', ({ params, query }) => {
    refuseHeight(store, query.height);
    return requireFound(viewAccountTokens(store, parseAddressParameter(params.address)), 'Account');
  });
}

/**
 * Rejects a request with a height. Only archival nodes keep past balances, and an answer with the newest
 * balance would mislead.
 */
function refuseHeight(store: Store, text: unknown): void {
  if (text === undefined) return;
  const height = parseIntegerParameter('height', text, 0n);
  const newest = latestBlock(store).height;
  if (height <= newest) throw new EmptyNotFoundError();
  throw new RequestError(404, `Height ${height} does not exist yet: the newest block has height ${newest}`);
}

interface TokenPath {
  Params: { tokenId: string };
}

export function addTokenRoutes(app: FastifyInstance): void {
  app.get('/api/v1/tokens', () => ({ tokens: TOKENS.map(viewToken) }));
  app.get<TokenPath>('/api/v1/tokens/:tokenId', ({ params }) => {
    const id = parseIntegerParameter('token id', params.tokenId, MIN_I64);
    return viewToken(requireFound(findToken(id), 'Token'));
  });
}

/** `POST /faucet {"address"}` pays `GRANT` to the address, and is answered once the payment is confirmed. */
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
