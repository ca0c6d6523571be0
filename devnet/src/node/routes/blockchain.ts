import type { FastifyInstance } from 'fastify';
import { latestBlock } from '../chain/block.js';
import type { ChainReader } from '../chain/development-chain.js';
import { viewBlockHeader } from '../views/block.js';

/** `GET /api/v1/blockchain/status`, common to all nodes. */
export function addStatusRoute(app: FastifyInstance, { store }: ChainReader): void {
  app.get('/api/v1/blockchain/status', () => {
    const block = latestBlock(store);
    // There are no forks: every block is final.
    return { height: block.height, confirmed_height: block.height, latest_block: viewBlockHeader(block) };
  });
}
