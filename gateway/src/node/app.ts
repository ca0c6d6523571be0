import type { FastifyInstance } from 'fastify';
import { createJsonApp } from '../json-app.js';
import type { DevelopmentChain } from './development-chain.js';
import { addAccountRoutes } from './routes/accounts.js';
import { addBlockchainRoutes } from './routes/blockchain.js';
import { addFaucetRoutes } from './routes/faucet.js';
import { addNodeRoutes } from './routes/node.js';
import { addTokenRoutes } from './routes/tokens.js';
import { addTransactionRoutes } from './routes/transactions.js';

/** The HTTP face of a full node of the development chain. */
export function createNodeApp(chain: DevelopmentChain, onError: (error: Error) => void): FastifyInstance {
  const app = createJsonApp(onError);
  addNodeRoutes(app, chain);
  addBlockchainRoutes(app, chain);
  addAccountRoutes(app, chain);
  addTokenRoutes(app);
  addTransactionRoutes(app, chain);
  addFaucetRoutes(app, chain);
  return app;
}
