import type { FastifyInstance } from 'fastify';
import type { SystemStats } from '../monitoring/system-stats.js';

/** `GET /gateway/system-stats`: CPU, memory, disk and uptime of the machine. */
export function addSystemStatsRoute(app: FastifyInstance, stats: SystemStats): void {
  app.get('/gateway/system-stats', () => stats.read());
}
