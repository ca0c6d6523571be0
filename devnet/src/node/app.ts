import type { FastifyInstance } from 'fastify';
import type { DevelopmentChain } from './chain/development-chain.js';
import { EMPTY_REGISTRY, type Registry } from './development-data/registry.js';
import { createChainApp } from './http/chain-app.js';
import { requireFound } from './http/parameters.js';
import { addAccountRoutes, addFaucetRoutes, addTokenRoutes } from './routes/accounts.js';
import { addBlockRoutes, addStatusRoute } from './routes/blocks.js';
import { addNodeRoutes, addRegistryRoutes } from './routes/node.js';
import { addFeeRoute, addTransactionRoutes } from './routes/transactions.js';

/** Creates the HTTP interface of a full node. */
export function createNodeApp(
  chain: DevelopmentChain,
  onError: (error: Error) => void,
  registry: Registry = EMPTY_REGISTRY,
): FastifyInstance {
  return createChainApp(onError, routes => {
    addNodeRoutes(routes, chain);
    addStatusRoute(routes, chain);
    addBlockRoutes(routes, chain, requireFound);
    addFeeRoute(routes, chain);
    addAccountRoutes(routes, chain);
    addTokenRoutes(routes);
    addTransactionRoutes(routes, chain);
    addRegistryRoutes(routes, registry);
    addFaucetRoutes(routes, chain);
  });
}
