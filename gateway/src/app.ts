import type { ServerOptions as TlsServerOptions } from 'node:https';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { GatewayContext } from './gateway-context.js';
import { createHttpServer, refuseClient } from './http-server.js';
import { createJsonApp, sendError } from './json-app.js';
import { addRateLimits } from './limits/rate-limits.js';
import type { ChainRouter } from './proxy/chain-router.js';
import { addChainRoutes } from './proxy/chain-routes.js';
import { addRequestChecks } from './proxy/request-checks.js';
import { addRequestLog, addTrafficCount, LOG_SERIALIZERS, type LoggerOption } from './request-log.js';
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

/** The gateway's HTTP face: every request is checked, then counted against its client, then answered by a route of the gateway's or by a node. */
export function createGatewayApp(context: GatewayContext, options: GatewayAppOptions): FastifyInstance {
  const { config, nodes, traffic } = context;
  const { connectMs, answerMs, pieceMs } = config.timeouts;
  const idleMs = 2 * (connectMs + answerMs + pieceMs) + IDLE_SPARE_MS;
  const app = createJsonApp(context.onError, {
    serverFactory: listener => createHttpServer(listener, idleMs, options.tls),
    clientErrorHandler: refuseClient,
    frameworkErrors: refuseTarget,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    logController: new LogController({ disableRequestLogging: true }),
    logger: loggerOf(options.logger),
  });
  addRequestChecks(app, config, nodes);
  addTrafficCount(app, traffic);
  if (options.logger) addRequestLog(app);
  options.extend?.(app);
  addRateLimits(app, context);
  addOwnRoutes(app, context, options.router);
  addChainRoutes(app, options.router, Math.ceil(config.healthIntervalMs / 1000));
  return app;
}

/** The router refuses a broken escape before any check of ours. */
function refuseTarget(_error: Error, _request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({ connection: 'close', 'x-content-type-options': 'nosniff' });
  sendError(reply, 400, 'The path has an escape that stands for no character');
}

function loggerOf(logger: LoggerOption): NonNullable<LoggerOption> {
  if (!logger) return false;
  return { ...(logger === true ? {} : logger), serializers: LOG_SERIALIZERS };
}
