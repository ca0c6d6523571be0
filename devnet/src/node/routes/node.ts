import { SIGNING_TAG } from '@zbc-signer/chain';
import type { FastifyInstance } from 'fastify';
import { latestBlock } from '../chain/block.js';
import type { DevelopmentChain } from '../chain/development-chain.js';
import {
  type Registry,
  viewRegisteredGateways,
  viewRegisteredNodes,
  viewRegisteredRelays,
} from '../development-data/registry.js';
import { NODE_VERSION } from '../genesis.js';

/** Version 2: signatures are bound to the chain (docs/gateway/routes.md#signing-version). */
const SIGNING_VERSION = 2;

export function addNodeRoutes(app: FastifyInstance, chain: DevelopmentChain): void {
  app.get('/api/v1/node/info', () => ({
    genesis_hash: chain.store.genesisHash,
    signing_version: SIGNING_VERSION,
    signing_tag: SIGNING_TAG,
    height: latestBlock(chain.store).height,
    version: NODE_VERSION,
    peer_count: 0,
    synced: true,
  }));
}

/** Adds the registry routes, which both kinds of nodes have. */
export function addRegistryRoutes(app: FastifyInstance, registry: Registry): void {
  app.get('/api/v1/registry/nodes', () => ({ nodes: viewRegisteredNodes('node', registry.nodes) }));
  app.get('/api/v1/registry/archivals', () => ({
    archivals: viewRegisteredNodes('archival', registry.archivals),
  }));
  app.get('/api/v1/registry/gateways', () => ({ gateways: viewRegisteredGateways(registry.gateways) }));
  app.get('/api/v1/registry/relays', () => ({ relays: viewRegisteredRelays(registry.relays) }));
}
