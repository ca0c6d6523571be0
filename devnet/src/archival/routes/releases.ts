import type { FastifyInstance } from 'fastify';
import { viewReleases } from '../../node/development-data/releases.js';

export function addReleaseRoutes(app: FastifyInstance): void {
  app.get('/api/v1/release/list', () => ({ releases: viewReleases() }));
}
