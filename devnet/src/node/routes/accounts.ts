import { RequestError } from '@zbc-signer/gateway/server';
import type { FastifyInstance } from 'fastify';
import { latestBlock } from '../chain/block.js';
import type { DevelopmentChain } from '../chain/development-chain.js';
import { EmptyNotFoundError } from '../http/empty-not-found.js';
import { found, parseAddressParameter, parseIntegerParameter } from '../http/parameters.js';
import type { Store } from '../store/store.js';
import { viewAccount, viewAccountTokens } from '../views/account.js';

interface AccountRequest {
  Params: { address: string };
  Querystring: { height?: unknown };
}

export function addAccountRoutes(app: FastifyInstance, { store }: DevelopmentChain): void {
  app.get<AccountRequest>('/api/v1/accounts/:address', ({ params, query }) => {
    refuseHeight(store, query.height);
    return found(viewAccount(store, parseAddressParameter(params.address)), 'Account');
  });
  app.get<AccountRequest>('/api/v1/accounts/:address/tokens', ({ params, query }) => {
    refuseHeight(store, query.height);
    return found(viewAccountTokens(store, parseAddressParameter(params.address)), 'Account');
  });
}

/** Only archival nodes keep past balances; answering with the newest would mislead. */
function refuseHeight(store: Store, text: unknown): void {
  if (text === undefined) return;
  const height = parseIntegerParameter('height', text, 0n);
  const newest = latestBlock(store).height;
  if (height <= newest) throw new EmptyNotFoundError();
  throw new RequestError(404, `Height ${height} is not there yet: the newest block has height ${newest}`);
}
