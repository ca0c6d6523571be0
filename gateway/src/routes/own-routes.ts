import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { ConfigError, RequestError } from '../base/errors.js';
import { openPublished } from '../files/published-file.js';
import { ATTACHMENT, sendFile } from '../files/send-file.js';
import type { GatewayContext } from '../gateway-context.js';
import { isKnownTag } from '../http/entity-tag.js';
import { HASH, media, NO_BODY, UINT64 } from '../openapi/records.js';
import { readPage, sendPage, wantsPage } from '../pages/page.js';
import type { ChainRouter } from '../proxy/chain-router.js';
import { addAdminRoutes, requireAdminKey } from './admin.js';
import { addAllowlistRoutes } from './allowlist.js';
import { addFaucetRoutes } from './faucet.js';
import { addInstallRoute } from './install.js';
import { addReleaseRoutes } from './releases.js';
import { addStatusRoutes } from './status.js';
import { addVerifyRoute } from './verify.js';

/**
 * Permissions of the wallet page and the connect page. Other pages of this origin and frames do not get these
 * permissions.
 */
const PERMISSIONS = 'hid=(self), usb=(self), camera=(), geolocation=(), microphone=(), payment=(), serial=()';

const ROOT_SCHEMA = {
  operationId: 'root',
  summary: 'Redirects browsers to the wallet page',
  response: { 307: NO_BODY },
};
const RELAY_SCHEMA = {
  operationId: 'relayInfo',
  summary: 'The relay of this gateway',
  description: 'Compare genesis_hash with that of your own node before you pay.',
  response: { 200: Type.Object({ address: Type.String(), rate: UINT64, genesis_hash: HASH }) },
};
const DOWNLOAD_SCHEMA = {
  operationId: 'download',
  summary: 'A file published by the operator',
  params: Type.Object({ name: Type.String({ description: 'Name of the file, which is one path segment' }) }),
  response: ATTACHMENT,
};

/**
 * Adds `GET /wallet/`, to which `GET /` leads browsers, and `GET /connect/`. The wallet page reads the chain from this gateway. A page of any
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
  app.get('/', { schema: ROOT_SCHEMA }, (request, reply) => {
    reply.header('vary', 'accept');
    return wantsPage(request) ? reply.redirect('/wallet/', 307) : reply.callNotFound();
  });
  for (const name of ['wallet', 'connect'] as const) {
    const redirect = {
      operationId: `${name}Redirect`,
      summary: `Redirects to the ${name} page`,
      response: { 308: NO_BODY },
    };
    const page = {
      operationId: `${name}Page`,
      summary: `The ${name} page`,
      response: { 200: media('text/html'), 304: NO_BODY },
    };
    app.get(`/${name}`, { schema: redirect }, (_request, reply) => reply.redirect(`/${name}/`, 308));
    app.get(`/${name}/`, { schema: page }, async (request, reply) => {
      const { html, headers } = await readPage(name, directory);
      // Browsers revalidate the page at each visit and fetch it only if it changed.
      reply.headers({ 'cache-control': 'no-cache', 'permissions-policy': PERMISSIONS });
      return isKnownTag(request.headers['if-none-match'], headers.etag!)
        ? sendPage(reply.code(304), { headers })
        : sendPage(reply, { html, headers });
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
  addStatusRoutes(app, context);
  addRelayRoute(app, context);
  addVerifyRoute(app, context);
  addAllowlistRoutes(app, context, checkKey);
  addAdminRoutes(app, context, checkKey);
  if (downloadsDir !== undefined) addDownloadRoute(app, downloadsDir);
  if (releasesDir !== undefined) {
    addReleaseRoutes(app, releasesDir);
    addInstallRoute(app, context);
  }
  if (faucet) addFaucetRoutes(app, context.nodes, router);
  if (wallet) addWalletRoutes(app, context.walletDirectory);
}

/**
 * `GET /relay/info` describes the configured relay. Clients compare its genesis hash with that of their node
 * before they pay.
 */
function addRelayRoute(app: FastifyInstance, { config }: GatewayContext): void {
  app.get('/relay/info', { schema: RELAY_SCHEMA }, () => {
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
    schema: DOWNLOAD_SCHEMA,
    handler: async (request, reply) => {
      const file = await openPublished(directory, request.params.name);
      if (file === undefined) throw new RequestError(404, 'No such file');
      return sendFile(request, reply, file);
    },
  });
}
