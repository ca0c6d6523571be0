import type { FastifyInstance } from 'fastify';
import { EMPTY_REGISTRY, type Registry } from '../node/development-data/registry.js';
import { createChainApp, requireFoundOrEmpty } from '../node/http/chain-app.js';
import { addTokenRoutes } from '../node/routes/accounts.js';
import { addBlockRoutes, addStatusRoute } from '../node/routes/blocks.js';
import { addRegistryRoutes } from '../node/routes/node.js';
import { addTransactionReads } from '../node/routes/transactions.js';
import type { ArchivalChain } from './archival-chain.js';
import { addMarketRoutes } from './markets.js';
import {
  addAccountHistoryRoutes,
  addArchivalInfoRoute,
  addMovementRoutes,
  addReleaseRoutes,
} from './routes.js';

/** Creates the read-only HTTP interface of an archival node. */
export function createArchivalApp(
  chain: ArchivalChain,
  onError: (error: Error) => void,
  registry: Registry = EMPTY_REGISTRY,
): FastifyInstance {
  return createChainApp(onError, routes => {
    addArchivalInfoRoute(routes, chain);
    addStatusRoute(routes, chain);
    addBlockRoutes(routes, chain, requireFoundOrEmpty);
    addAccountHistoryRoutes(routes, chain);
    addTokenRoutes(routes);
    addTransactionReads(routes, chain, requireFoundOrEmpty);
    addMovementRoutes(routes, chain);
    addMarketRoutes(routes);
    addReleaseRoutes(routes);
    addRegistryRoutes(routes, registry);
  });
}
