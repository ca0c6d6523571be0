import { formatJson } from '@zbc-signer/chain';
import { RequestError } from '@zbc-signer/gateway/server';
import type { FastifyInstance } from 'fastify';
import { Pool } from 'undici';
import type { Registry } from '../node/development-data/registry.js';
import { createChainApp } from '../node/http/chain-app.js';
import { requireFound } from '../node/http/parameters.js';
import { addAccountRoutes, addTokenRoutes } from '../node/routes/accounts.js';
import { addBlockRoutes, addStatusRoute } from '../node/routes/blocks.js';
import { addRegistryRoutes } from '../node/routes/node.js';
import { addTransactionReads } from '../node/routes/transactions.js';
import type { ArchivalChain } from './archival-chain.js';
import { addArchivalInfoRoute } from './routes.js';

/** Routes whose answers depend on the transactions that no block contains yet. */
const FORWARDED = /^\/(faucet$|api\/v1\/(accounts|transactions|blockchain\/estimate-fee)(?:[/?]|$))/;
const ANSWER_MS = 5000;
const UNCERTAIN = 'The followed node did not answer, but may have accepted the request';

/**
 * Creates the HTTP interface of a full node that follows another one. Only the followed node knows the unconfirmed
 * transactions, so it gets all transactions and the reads that depend on them. While it does not answer, this node
 * answers reads from its own blocks, and transactions with 503.
 */
export function createSecondFullApp(
  chain: ArchivalChain,
  follow: string,
  onError: (error: Error) => void,
  registry: Registry,
): FastifyInstance {
  return createChainApp(onError, routes => {
    addForwarding(routes, follow);
    addArchivalInfoRoute(routes, chain);
    addStatusRoute(routes, chain);
    addBlockRoutes(routes, chain, requireFound);
    addAccountRoutes(routes, chain);
    addTokenRoutes(routes);
    addTransactionReads(routes, chain, requireFound);
    addRegistryRoutes(routes, registry);
    const unavailable = () => {
      throw new RequestError(503, 'The followed node does not answer');
    };
    routes.get('/api/v1/blockchain/estimate-fee', unavailable);
    routes.post('/api/v1/transactions', unavailable);
    routes.post('/faucet', unavailable);
  });
}

function addForwarding(routes: FastifyInstance, follow: string): void {
  const followed = new Pool(follow, { headersTimeout: ANSWER_MS, bodyTimeout: ANSWER_MS });
  routes.addHook('onClose', () => followed.destroy());
  routes.addHook('preHandler', async ({ method, url, body }, reply) => {
    if (!FORWARDED.test(url) || (method !== 'GET' && method !== 'POST')) return;
    const sent = method === 'POST' && {
      body: formatJson(body),
      headers: { 'content-type': 'application/json' },
    };
    try {
      const answer = await followed.request({ method, path: url, ...sent });
      const bytes = Buffer.from(await answer.body.arrayBuffer());
      reply
        .code(answer.statusCode)
        .header('content-type', answer.headers['content-type'] ?? 'application/json');
      return bytes.length === 0 ? reply.removeHeader('content-type').send() : reply.send(bytes);
    } catch (error) {
      const wasSent = Reflect.get(Object(error), 'code') !== 'ECONNREFUSED';
      if (method === 'POST' && wasSent) throw new RequestError(504, UNCERTAIN);
    }
  });
}
