import type { FastifyInstance } from 'fastify';
import { latestBlock } from '../block.js';
import type { DevelopmentChain } from '../development-chain.js';
import { minimumFeeAtoms } from '../fees.js';
import { parseIntegerParameter } from '../parameters.js';
import { viewBlockHeader, viewLatestBlock } from '../transaction-view.js';

interface FeeQuery {
  Querystring: { type?: unknown; body_length?: unknown };
}

export function addBlockchainRoutes(app: FastifyInstance, chain: DevelopmentChain): void {
  app.get('/api/v1/blockchain/status', () => {
    const block = latestBlock(chain.store);
    // One node, no forks: a block is final when it is made.
    return { height: block.height, confirmed_height: block.height, latest_block: viewBlockHeader(block) };
  });
  app.get('/api/v1/blocks/latest', () => viewLatestBlock(chain.store));
  app.get<FeeQuery>('/api/v1/blockchain/estimate-fee', ({ query }) => {
    parseIntegerParameter('type', query.type, 0n);
    const bodyLength = parseIntegerParameter('body_length', query.body_length, 0n);
    return { minimum_fee: minimumFeeAtoms(bodyLength), timestamp: chain.timestamp() };
  });
}
