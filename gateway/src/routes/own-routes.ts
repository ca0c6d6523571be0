import type { FastifyInstance } from 'fastify';
import type { GatewayContext } from '../gateway-context.js';
import { SystemStats } from '../monitoring/system-stats.js';
import type { ChainRouter } from '../proxy/chain-router.js';
import { addAdminRoutes } from './admin.js';
import { requireAdminKey } from './admin-key.js';
import { addAllowlistRoutes } from './allowlist.js';
import { addDownloadRoute } from './downloads.js';
import { addFaucetRoutes } from './faucet.js';
import { addHealthRoutes } from './health.js';
import { addInstallRoute } from './install.js';
import { addOpenApiRoute } from './openapi.js';
import { addRelayRoute } from './relay.js';
import { addReleaseRoutes } from './releases.js';
import { addStatusRoute } from './status.js';
import { addSystemStatsRoute } from './system-stats.js';
import { addVerifyRoute } from './verify.js';
import { addWalletRoutes } from './wallet.js';

/**
 * The gateway's own routes (docs/gateway/routes.md#gateway-routes); those of unset directories are not
 * registered.
 */
export function addOwnRoutes(app: FastifyInstance, context: GatewayContext, router: ChainRouter): void {
  const { downloadsDir, releasesDir, faucet, wallet } = context.config;
  const checkKey = requireAdminKey(context);
  const stats = new SystemStats(process.cwd());
  addStatusRoute(app, context);
  addHealthRoutes(app, context);
  addSystemStatsRoute(app, stats);
  addRelayRoute(app, context);
  addVerifyRoute(app, context);
  addOpenApiRoute(app);
  addAllowlistRoutes(app, context, checkKey);
  addAdminRoutes(app, context, stats, checkKey);
  if (downloadsDir !== undefined) addDownloadRoute(app, downloadsDir);
  if (releasesDir !== undefined) {
    addReleaseRoutes(app, releasesDir);
    addInstallRoute(app, context);
  }
  if (faucet) addFaucetRoutes(app, context.nodes, router);
  if (wallet) addWalletRoutes(app);
}
