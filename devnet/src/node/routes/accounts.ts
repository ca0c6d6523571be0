import type { FastifyInstance } from 'fastify';
import type { DevelopmentChain } from '../chain/development-chain.js';
import { EmptyNotFoundError } from '../http/empty-not-found.js';
import { found, parseAddressParameter } from '../http/parameters.js';
import { viewAccount, viewAccountTokens } from '../views/account.js';

interface AccountRequest {
  Params: { address: string };
  Querystring: { height?: unknown };
}

export function addAccountRoutes(app: FastifyInstance, { store }: DevelopmentChain): void {
  app.get<AccountRequest>('/api/v1/accounts/:address', ({ params, query }) => {
    refuseHeight(query.height);
    return found(viewAccount(store, parseAddressParameter(params.address)), 'Account');
  });
  app.get<AccountRequest>('/api/v1/accounts/:address/tokens', ({ params, query }) => {
    refuseHeight(query.height);
    return found(viewAccountTokens(store, parseAddressParameter(params.address)), 'Account');
  });
}

/** Only archival nodes keep past balances; answering with the newest would mislead. */
function refuseHeight(height: unknown): void {
  if (height !== undefined) throw new EmptyNotFoundError();
}
