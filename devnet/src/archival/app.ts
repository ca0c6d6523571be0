import type { FastifyInstance } from 'fastify';
import { EMPTY_REGISTRY, type Registry } from '../node/development-data/registry.js';
import { createChainApp } from '../node/http/chain-app.js';
import { foundOrEmpty } from '../node/http/empty-not-found.js';
import { addStatusRoute } from '../node/routes/blockchain.js';
import { addBlockRoutes } from '../node/routes/blocks.js';
import { addRegistryRoutes } from '../node/routes/registry.js';
import { addTokenRoutes } from '../node/routes/tokens.js';
import { addTransactionReads } from '../node/routes/transactions.js';
import type { ArchivalChain } from './archival-chain.js';
import { addAccountHistoryRoutes } from './routes/accounts.js';
import { addMarketRoutes } from './routes/markets.js';
import { addMovementRoutes } from './routes/movements.js';
import { addArchivalInfoRoute } from './routes/node.js';
import { addReleaseRoutes } from './routes/releases.js';

/** The read-only HTTP interface of an archival node. */
export function createArchivalApp(
  chain: ArchivalChain,
  onError: (error: Error) => void,
  registry: Registry = EMPTY_REGISTRY,
): FastifyInstance {
  return createChainApp(onError, routes => {
    addArchivalInfoRoute(routes, chain);
    addStatusRoute(routes, chain);
    addBlockRoutes(routes, chain, foundOrEmpty);
    addAccountHistoryRoutes(routes, chain);
    addTokenRoutes(routes);
    addTransactionReads(routes, chain, foundOrEmpty);
    addMovementRoutes(routes, chain);
    addMarketRoutes(routes);
    addReleaseRoutes(routes);
    addRegistryRoutes(routes, registry);
  });
}
