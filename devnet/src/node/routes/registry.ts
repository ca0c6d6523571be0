import type { FastifyInstance } from 'fastify';
import {
  type Registry,
  viewRegisteredGateways,
  viewRegisteredNodes,
  viewRegisteredRelays,
} from '../development-data/registry.js';

/** The registry routes common to all nodes. */
export function addRegistryRoutes(app: FastifyInstance, registry: Registry): void {
  app.get('/api/v1/registry/nodes', () => ({ nodes: viewRegisteredNodes('node', registry.nodes) }));
  app.get('/api/v1/registry/archivals', () => ({
    archivals: viewRegisteredNodes('archival', registry.archivals),
  }));
  app.get('/api/v1/registry/gateways', () => ({ gateways: viewRegisteredGateways(registry.gateways) }));
  app.get('/api/v1/registry/relays', () => ({ relays: viewRegisteredRelays(registry.relays) }));
}
