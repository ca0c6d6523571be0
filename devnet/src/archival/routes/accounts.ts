import type { Account } from '@zbc-signer/chain';
import type { FastifyInstance } from 'fastify';
import { foundOrEmpty } from '../../node/http/empty-not-found.js';
import { parseAddressParameter, parseIntegerParameter } from '../../node/http/parameters.js';
import { viewAccount, viewAccountTokens } from '../../node/views/account.js';
import { viewAccountAt, viewAccountTokensAt } from '../account-at.js';
import type { ArchivalChain } from '../archival-chain.js';

interface AccountRequest {
  Params: { address: string };
  Querystring: { height?: unknown };
}

/**
 * Without a height, an unknown account may be new: the empty 404 lets a gateway ask a full node, as it does
 * above the newest block here. With a height up to that, the answer is final.
 */
export function addAccountHistoryRoutes(app: FastifyInstance, { store }: ArchivalChain): void {
  app.get<AccountRequest>('/api/v1/accounts/:address', ({ params, query }) => {
    const account: Account = parseAddressParameter(params.address);
    return query.height === undefined
      ? foundOrEmpty(viewAccount(store, account))
      : viewAccountAt(store, account, parseHeight(query.height));
  });
  app.get<AccountRequest>('/api/v1/accounts/:address/tokens', ({ params, query }) => {
    const account: Account = parseAddressParameter(params.address);
    return query.height === undefined
      ? foundOrEmpty(viewAccountTokens(store, account))
      : viewAccountTokensAt(store, account, parseHeight(query.height));
  });
}

function parseHeight(text: unknown): bigint {
  return parseIntegerParameter('height', text, 0n);
}
