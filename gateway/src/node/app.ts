import type { FastifyInstance } from 'fastify';
import { createJsonApp } from '../json-app.js';
import type { DevelopmentChain } from './development-chain.js';
import { EMPTY_REGISTRY, type Registry } from './development-data/registry.js';
import { addAccountRoutes } from './routes/accounts.js';
import { addStatusRoute } from './routes/blockchain.js';
import { addBlockRoutes } from './routes/blocks.js';
import { addFaucetRoutes } from './routes/faucet.js';
import { addFeeRoute } from './routes/fees.js';
import { addNodeRoutes } from './routes/node.js';
import { addRegistryRoutes } from './routes/registry.js';
import { addTokenRoutes } from './routes/tokens.js';
import { addTransactionRoutes } from './routes/transactions.js';

/** The HTTP face of a full node of the development chain. */
export function createNodeApp(
  chain: DevelopmentChain,
  onError: (error: Error) => void,
  registry: Registry = EMPTY_REGISTRY,
): FastifyInstance {
  const app = createJsonApp(onError);
  addNodeRoutes(app, chain);
  addStatusRoute(app, chain);
  addBlockRoutes(app, chain);
  addFeeRoute(app, chain);
  addAccountRoutes(app, chain);
  addTokenRoutes(app);
  addTransactionRoutes(app, chain);
  addRegistryRoutes(app, registry);
  addFaucetRoutes(app, chain);
  return app;
}
