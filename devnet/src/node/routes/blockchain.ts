import type { FastifyInstance } from 'fastify';
import { latestBlock } from '../block.js';
import { viewBlockHeader } from '../block-view.js';
import type { ChainReader } from '../development-chain.js';

/** `GET /api/v1/blockchain/status`, common to all nodes. */
export function addStatusRoute(app: FastifyInstance, { store }: ChainReader): void {
  app.get('/api/v1/blockchain/status', () => {
    const block = latestBlock(store);
    // There are no forks: every block is final.
    return { height: block.height, confirmed_height: block.height, latest_block: viewBlockHeader(block) };
  });
}
