import type { FastifyInstance } from 'fastify';
import { viewAccount, viewAccountTokens } from '../account-view.js';
import type { DevelopmentChain } from '../development-chain.js';
import { EmptyNotFoundError } from '../empty-not-found.js';
import { found, parseAddressParameter } from '../parameters.js';

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
