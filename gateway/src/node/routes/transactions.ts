import type { FastifyInstance } from 'fastify';
import type { ChainReader, DevelopmentChain } from '../development-chain.js';
import { found, parseHashParameter, parseLimit } from '../parameters.js';
import { viewRecent, viewStatus, viewTransaction } from '../transaction-view.js';

interface HashPath {
  Params: { hash: string };
}
interface LimitQuery {
  Querystring: { limit?: unknown };
}

/** Gives what was looked up or throws the answer for what this node does not have. */
export type Finder = <T>(value: T | undefined, what: string) => T;

export function addTransactionRoutes(app: FastifyInstance, chain: DevelopmentChain): void {
  app.post('/api/v1/transactions', (request, reply) => {
    // The chain has flushed the transaction to the disk when this returns.
    const { hash, duplicate } = chain.submit(request.body);
    return reply.code(202).send({ status: 'success', duplicate, transaction_hash: hash });
  });
  addTransactionReads(app, chain, found);
}

/** What every kind of node tells of the transactions it has. */
export function addTransactionReads(app: FastifyInstance, { store }: ChainReader, find: Finder): void {
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
