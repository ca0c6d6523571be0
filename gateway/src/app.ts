import type { ServerOptions as TlsServerOptions } from 'node:https';
import { type FastifyInstance, LogController } from 'fastify';
import type { GatewayContext } from './gateway-context.js';
import { createHttpServer, MAX_HEAD_BYTES, refuseClient } from './http/http-server.js';
import { createJsonApp } from './http/json-app.js';
import { addRateLimits } from './limits/rate-limits.js';
import { LOG_SERIALIZERS, type LoggerOption, logRequest } from './monitoring/request-log.js';
import type { ChainRouter } from './proxy/chain-router.js';
import { addChainRoutes } from './proxy/chain-routes.js';
import { addRefusals, addRequestChecks } from './proxy/request-checks.js';
import { routableTarget } from './proxy/request-target.js';
import { addOwnRoutes } from './routes/own-routes.js';

/** Longer than the tries of one request take together. */
const IDLE_SPARE_MS = 10_000;

export interface GatewayAppOptions {
  router: ChainRouter;
  tls?: TlsServerOptions;
  /** Pino's options or `true`; nothing is logged when left out. */
  logger?: LoggerOption;
  /** Adds hooks before any route is there. */
  extend?: ((app: FastifyInstance) => void) | undefined;
}

/** The gateway's HTTP face: every request is checked, counted against its client, then refused or answered by a route of the gateway's or by a node. */
export function createGatewayApp(context: GatewayContext, options: GatewayAppOptions): FastifyInstance {
  const { config, nodes, answers } = context;
  const { connectMs, answerMs, pieceMs } = config.timeouts;
  const idleMs = 2 * (connectMs + answerMs + pieceMs) + IDLE_SPARE_MS;
  const app = createJsonApp(context.onError, {
    serverFactory: listener => createHttpServer(listener, idleMs, options.tls),
    clientErrorHandler: refuseClient,
    routerOptions: { maxParamLength: MAX_HEAD_BYTES },
    rewriteUrl: routableTarget,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    logController: new LogController({ disableRequestLogging: true }),
    logger: loggerOf(options.logger),
  });
  answers.follow(app);
  if (options.logger) answers.listen(logRequest);
  addRequestChecks(app, config, nodes);
  addRateLimits(app, context);
  addRefusals(app);
  options.extend?.(app);
  addOwnRoutes(app, context, options.router);
  addChainRoutes(app, options.router, Math.ceil(config.healthIntervalMs / 1000));
  return app;
}

function loggerOf(logger: LoggerOption): NonNullable<LoggerOption> {
  if (!logger) return false;
  return { ...(logger === true ? {} : logger), serializers: LOG_SERIALIZERS };
}
