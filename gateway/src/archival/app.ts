import type { FastifyInstance } from 'fastify';
import { createJsonApp } from '../http/json-app.js';
import { EMPTY_REGISTRY, type Registry } from '../node/development-data/registry.js';
import { addRoutes, answerElsewhere, foundHere } from '../node/elsewhere.js';
import { addStatusRoute } from '../node/routes/blockchain.js';
import { addBlockRoutes } from '../node/routes/blocks.js';
import { addRegistryRoutes } from '../node/routes/registry.js';
import { addTokenRoutes } from '../node/routes/tokens.js';
import { addTransactionReads } from '../node/routes/transactions.js';
import type { ArchivalChain } from './archival-chain.js';
import { addAccountHistoryRoutes } from './routes/accounts.js';
import { addExchangeRoutes } from './routes/exchange.js';
import { addMovementRoutes } from './routes/movements.js';
import { addArchivalInfoRoute } from './routes/node.js';
import { addReleaseRoutes } from './routes/releases.js';

/** The HTTP face of an archival node: it only reads. */
export function createArchivalApp(
  chain: ArchivalChain,
  onError: (error: Error) => void,
  registry: Registry = EMPTY_REGISTRY,
): FastifyInstance {
  const app = createJsonApp(onError);
  answerElsewhere(app);
  addRoutes(app, routes => {
    addArchivalInfoRoute(routes, chain);
    addStatusRoute(routes, chain);
    addBlockRoutes(routes, chain);
    addAccountHistoryRoutes(routes, chain);
    addTokenRoutes(routes);
    addTransactionReads(routes, chain, foundHere);
    addMovementRoutes(routes, chain);
    addExchangeRoutes(routes);
    addReleaseRoutes(routes);
    addRegistryRoutes(routes, registry);
  });
  return app;
}
