import type { FastifyInstance } from 'fastify';
import type { DevelopmentChain } from '../chain/development-chain.js';
import { parseIntegerParameter } from '../http/parameters.js';
import { minimumFeeAtoms } from '../transaction/fees.js';

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
