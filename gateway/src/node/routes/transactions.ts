import type { FastifyInstance } from 'fastify';
import type { DevelopmentChain } from '../development-chain.js';
import { found, parseHashParameter, parseIntegerParameter } from '../parameters.js';
import { viewRecent, viewStatus, viewTransaction } from '../transaction-view.js';

const DEFAULT_LIMIT = 20n;
const MAX_LIMIT = 100n;

interface HashPath {
  Params: { hash: string };
}
interface LimitQuery {
  Querystring: { limit?: unknown };
}

export function addTransactionRoutes(app: FastifyInstance, chain: DevelopmentChain): void {
  const { store } = chain;
  app.post('/api/v1/transactions', (request, reply) => {
    // The chain has flushed the transaction to the disk when this returns.
    const { hash, duplicate } = chain.submit(request.body);
    return reply.code(202).send({ status: 'success', duplicate, transaction_hash: hash });
  });
  app.get<LimitQuery>('/api/v1/transactions', ({ query }) => ({
    transactions: viewRecent(store, parseLimit(query.limit)),
  }));
  app.get<HashPath>('/api/v1/transactions/:hash', ({ params }) =>
    found(viewTransaction(store, parseHashParameter(params.hash)), 'Transaction'),
  );
  app.get<HashPath>('/api/v1/transactions/:hash/status', ({ params }) =>
    found(viewStatus(store, parseHashParameter(params.hash)), 'Transaction'),
  );
}

/** More than the maximum gives the maximum. */
function parseLimit(text: unknown): number {
  const limit = text === undefined ? DEFAULT_LIMIT : parseIntegerParameter('limit', text, 0n);
  return Number(limit < MAX_LIMIT ? limit : MAX_LIMIT);
}
