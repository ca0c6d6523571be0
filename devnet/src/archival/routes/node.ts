import type { FastifyInstance } from 'fastify';
import { latestBlock } from '../../node/chain/block.js';
import { NODE_VERSION } from '../../node/genesis.js';
import type { ArchivalChain } from '../archival-chain.js';

/**
 * The genesis in upper hex, the followed node's signing rules (docs/gateway/routes.md#node-information,
 * "Versioning").
 */
export function addArchivalInfoRoute(app: FastifyInstance, chain: ArchivalChain): void {
  app.get('/api/v1/node/info', () => {
    const { height } = latestBlock(chain.store);
    return {
      genesis_hash: chain.store.genesisHash.toUpperCase(),
      ...chain.mirrored,
      height,
      version: NODE_VERSION,
      peer_count: chain.followedHeight === undefined ? 0 : 1,
      synced: chain.followedHeight !== undefined && chain.followedHeight <= height,
    };
  });
}
