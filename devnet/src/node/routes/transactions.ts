import type { FastifyInstance } from 'fastify';
import type { ChainReader, DevelopmentChain } from '../chain/development-chain.js';
import {
  parseHashParameter,
  parseIntegerParameter,
  parseLimit,
  type RequireFound,
  requireFound,
} from '../http/parameters.js';
import { minimumFeeAtoms } from '../transaction/cost.js';
import { viewRecent, viewStatus, viewTransaction } from '../views/transaction.js';

interface HashPath {
  Params: { hash: string };
}
interface LimitQuery {
  Querystring: { limit?: unknown };
}

export function addTransactionRoutes(app: FastifyInstance, chain: DevelopmentChain): void {
  app.post('/api/v1/transactions', (request, reply) => {
    // `submit` returns after the transaction is flushed to disk.
    const { hash, duplicate } = chain.submit(request.body);
    return reply.code(202).send({ status: 'success', duplicate, transaction_hash: hash });
  });
  addTransactionReads(app, chain, requireFound);
}

/** Adds the routes that read transactions, which both kinds of nodes have. */
export function addTransactionReads(app: FastifyInstance, { store }: ChainReader, find: RequireFound): void {
  app.get<LimitQuery>('/api/v1/transactions', ({ query }) => ({
    transactions: viewRecent(store, parseLimit(query.limit)),
  }));
  app.get<HashPath>('/api/v1/transactions/:hash', ({ params }) =>
    find(viewTransaction(store, parseHashParameter(params.hash)), 'Transaction'),
  );
  app.get<HashPath>('/api/v1/transactions/:hash/status', ({ params }) =>
    find(viewStatus(store, parseHashParameter(params.hash)), 'Transaction'),
  );
}

interface FeeQuery {
  Querystring: { type?: unknown; body_length?: unknown };
}

export function addFeeRoute(app: FastifyInstance, chain: DevelopmentChain): void {
  app.get<FeeQuery>('/api/v1/blockchain/estimate-fee', ({ query }) => {
    parseIntegerParameter('type', query.type, 0n);
    const bodyLength = parseIntegerParameter('body_length', query.body_length, 0n);
    return { minimum_fee: minimumFeeAtoms(bodyLength, chain.feeScale), timestamp: chain.timestamp() };
  });
}
