import type { FastifyInstance } from 'fastify';
import { ConfigError, RequestError } from '../base/errors.js';
import { GATEWAY_VERSION } from '../base/version.js';
import { openPublished } from '../files/published-file.js';
import { sendFile } from '../files/send-file.js';
import type { GatewayContext } from '../gateway-context.js';
import { isKnownTag } from '../http/entity-tag.js';
import { SystemStats } from '../monitoring/system-stats.js';
import { describeGateway } from '../openapi/document.js';
import { readPage, sendPage } from '../pages/page.js';
import type { ChainRouter } from '../proxy/chain-router.js';
import { addAdminRoutes, requireAdminKey } from './admin.js';
import { addAllowlistRoutes } from './allowlist.js';
import { addFaucetRoutes } from './faucet.js';
import { addInstallRoute } from './install.js';
import { addReleaseRoutes } from './releases.js';
import { addHealthRoutes, addStatusRoute, addSystemStatsRoute } from './status.js';
import { addVerifyRoute } from './verify.js';

/**
 * Permissions of the wallet page and the connect page. Other pages of this origin and frames do not get these
 * permissions.
 */
const PERMISSIONS = 'hid=(self), usb=(self), camera=(), geolocation=(), microphone=(), payment=(), serial=()';

/**
 * Adds `GET /wallet/` and `GET /connect/`. The wallet page reads the chain from this gateway. A page of any
 * origin opens the connect page to request something of its user, such as a signature. Throws ConfigError if
 * the directory of the pages is undefined.
 */
function addWalletRoutes(app: FastifyInstance, directory: URL | undefined): void {
  if (directory === undefined) {
    throw new ConfigError(
      'CONFIG_INVALID',
      'wallet: the program did not pass walletDirectory, the directory of the wallet page',
    );
  }
  for (const name of ['wallet', 'connect'] as const) {
    app.get(`/${name}`, (_request, reply) => reply.redirect(`/${name}/`, 308));
    app.get(`/${name}/`, async (request, reply) => {
      const page = await readPage(name, directory);
      // Browsers revalidate the page at each visit and fetch it only if it changed.
      reply.headers({ 'cache-control': 'no-cache', 'permissions-policy': PERMISSIONS });
      return isKnownTag(request.headers['if-none-match'], page.headers.etag!)
        ? sendPage(reply.code(304), { headers: page.headers })
        : sendPage(reply, page);
    });
  }
}

/**
 * Adds the gateway's own routes (docs/gateway/routes.md#gateway-routes). A route that needs a directory is
 * added only if the directory is configured.
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
  if (wallet) addWalletRoutes(app, context.walletDirectory);
}

/** `GET /openapi.json` describes every route of this gateway and of its nodes. */
function addOpenApiRoute(app: FastifyInstance): void {
  const document = describeGateway(GATEWAY_VERSION);
  app.get('/openapi.json', () => document);
}

/**
 * `GET /relay/info` describes the configured relay. Clients compare its genesis hash with that of their node
 * before they pay.
 */
function addRelayRoute(app: FastifyInstance, { config }: GatewayContext): void {
  app.get('/relay/info', () => {
    if (config.relay === undefined) throw new RequestError(404, 'This gateway has no relay');
    const { address, rate, genesisHash } = config.relay;
    return { address, rate, genesis_hash: genesisHash };
  });
}

/** `GET /dl/<name>` sends a file of `downloads_dir`. */
function addDownloadRoute(app: FastifyInstance, directory: string): void {
  app.route<{ Params: { name: string } }>({
    method: ['GET', 'HEAD'],
    url: '/dl/:name',
    handler: async (request, reply) => {
      const file = await openPublished(directory, request.params.name);
      if (file === undefined) throw new RequestError(404, 'No such file');
      return sendFile(request, reply, file);
    },
  });
}
