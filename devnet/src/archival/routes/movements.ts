import type { FastifyInstance } from 'fastify';
import { parseLimit } from '../../node/http/parameters.js';
import type { ArchivalChain } from '../archival-chain.js';
import { viewMovements } from '../movement-view.js';

export function addMovementRoutes(app: FastifyInstance, { store }: ArchivalChain): void {
  app.get<{ Querystring: { limit?: unknown } }>('/api/v1/movements/latest', ({ query }) => ({
    movements: viewMovements(store, parseLimit(query.limit)),
  }));
}
