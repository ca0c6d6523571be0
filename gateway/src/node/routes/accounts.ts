import type { FastifyInstance } from 'fastify';
import { viewAccount, viewAccountTokens } from '../account-view.js';
import type { DevelopmentChain } from '../development-chain.js';
import { found, parseAddressParameter } from '../parameters.js';

interface AddressPath {
  Params: { address: string };
}

export function addAccountRoutes(app: FastifyInstance, { store }: DevelopmentChain): void {
  app.get<AddressPath>('/api/v1/accounts/:address', ({ params }) =>
    found(viewAccount(store, parseAddressParameter(params.address)), 'Account'),
  );
  app.get<AddressPath>('/api/v1/accounts/:address/tokens', ({ params }) =>
    found(viewAccountTokens(store, parseAddressParameter(params.address)), 'Account'),
  );
}
