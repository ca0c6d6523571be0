import type { FastifyInstance } from 'fastify';
import type { Account } from '../../../../chain/src/index.js';
import { viewAccount, viewAccountTokens } from '../../node/account-view.js';
import { foundHere } from '../../node/elsewhere.js';
import { parseAddressParameter, parseIntegerParameter } from '../../node/parameters.js';
import { viewAccountAt, viewAccountTokensAt } from '../account-at.js';
import type { ArchivalChain } from '../archival-chain.js';

interface AccountRequest {
  Params: { address: string };
  Querystring: { height?: unknown };
}

/** Without a height an account that is not here may be new: a full node is asked. With one this node's answer is the answer. */
export function addAccountHistoryRoutes(app: FastifyInstance, { store }: ArchivalChain): void {
  app.get<AccountRequest>('/api/v1/accounts/:address', ({ params, query }) => {
    const account: Account = parseAddressParameter(params.address);
    return query.height === undefined
      ? foundHere(viewAccount(store, account))
      : viewAccountAt(store, account, parseHeight(query.height));
  });
  app.get<AccountRequest>('/api/v1/accounts/:address/tokens', ({ params, query }) => {
    const account: Account = parseAddressParameter(params.address);
    return query.height === undefined
      ? foundHere(viewAccountTokens(store, account))
      : viewAccountTokensAt(store, account, parseHeight(query.height));
  });
}

function parseHeight(text: unknown): bigint {
  return parseIntegerParameter('height', text, 0n);
}
