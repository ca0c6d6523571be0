import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type FastifyInstance, LogController } from 'fastify';
import type { GatewayConfig } from './config/config.js';
import type { GatewayContext } from './gateway-context.js';
import { addCrossOrigin, addPreflights } from './http/cross-origin.js';
import { MAX_HEAD_BYTES, type Refusal, refuseMalformed } from './http/http-server.js';
import { createJsonApp } from './http/json-app.js';
import type { Clients } from './limits/client.js';
import { addRateLimits, addRunningLimits, limitHeaders } from './limits/rate-limits.js';
import { LOG_SERIALIZERS, type LoggerOption } from './monitoring/answered-requests.js';
import { describeRoutes } from './openapi/document.js';
import type { ChainRouter } from './proxy/chain-router.js';
import { addChainRoutes } from './proxy/chain-routes.js';
import { addRefusals, addRequestChecks, isChainRequest } from './proxy/request-checks.js';
import { routableTarget } from './proxy/request-target.js';
import { addOwnRoutes } from './routes/own-routes.js';
import { MAX_RETRY_SECONDS } from './upstream/response-headers.js';

/**
 * A client may make no progress for this much longer than a node may pause between two chunks of its
 * response.
 */
const SLOW_READER_MS = 10_000;
const TOO_MANY = 429;

interface GatewayAppOptions {
  clients: Clients;
  router: ChainRouter;
  /** The server whose requests the app handles. */
  server: Server;
  /** Pino's options, or `true` for its defaults. If omitted, nothing is logged. */
  logger?: LoggerOption;
  /** Adds hooks before any route is registered. */
  extend: (app: FastifyInstance) => void;
}

/**
 * Creates the gateway's HTTP app. It checks each request and counts it for its client. Then it rejects the
 * request, answers it itself, or passes it on to a node.
 */
export async function createGatewayApp(
  context: GatewayContext,
  options: GatewayAppOptions,
): Promise<FastifyInstance> {
  const { config, nodes, answers } = context;
  const { clients } = options;
  const app: FastifyInstance = createJsonApp(context.onError, {
    serverFactory: () => options.server,
    clientErrorHandler: (error, socket) =>
      refuseMalformed(error, socket, status => countMalformed(app, context, clients, socket, status)),
    routerOptions: { maxParamLength: MAX_HEAD_BYTES },
    // While the gateway stops, a request on an open connection is answered before the connection is closed.
    return503OnClosing: false,
    rewriteUrl: routableTarget,
    logController: new LogController({ disableRequestLogging: true }),
    // Log lines need no request context, so no logger is created per request.
    childLoggerFactory: logger => logger,
    logger: loggerOf(options.logger),
  });
  answers.follow(app, request => clients.addressOf(request));
  addTransportSecurity(app, config.hstsSeconds);
  addRequestChecks(app, config, nodes);
  addCrossOrigin(app, { origins: config.corsOrigins, isShared: isChainRequest });
  addRateLimits(app, config.rateLimit, clients);
  addPreflights(app);
  addRefusals(app);
  addRunningLimits(app, config.limits, clients, isChainRequest);
  finishResponses(app, config);
  options.extend(app);
  await describeRoutes(app);
  addOwnRoutes(app, context, options.router);
  addChainRoutes(app, options.router);
  return app;
}

/** Counts and reports malformed input as if it were a request. */
function countMalformed(
  app: FastifyInstance,
  { answers }: GatewayContext,
  clients: Clients,
  socket: Socket,
  status: number,
): Refusal {
  const from = { headers: {}, socket };
  const count = app.countMalformed(clients.nameOf(from));
  const answered = count?.isExceeded ? TOO_MANY : status;
  answers.reportMalformed(answered, clients.addressOf(from));
  return { status: answered, headers: count === undefined ? {} : limitHeaders(count) };
}

/**
 * Closes connections whose response makes no progress. Adds Retry-After to each 503: the next check of the
 * nodes may change it.
 */
function finishResponses(app: FastifyInstance, { timeouts, healthIntervalMs }: GatewayConfig): void {
  const retryAfterSeconds = Math.min(MAX_RETRY_SECONDS, Math.ceil(healthIntervalMs / 1000));
  app.addHook('onSend', (_request, reply, payload, done) => {
    reply.raw.setTimeout(timeouts.pieceMs + SLOW_READER_MS);
    if (reply.statusCode === 503 && !reply.hasHeader('retry-after')) {
      reply.header('retry-after', retryAfterSeconds);
    }
    done(null, payload);
  });
}

function loggerOf(logger: LoggerOption): NonNullable<LoggerOption> {
  if (!logger) return false;
  return { ...(logger === true ? {} : logger), serializers: LOG_SERIALIZERS };
}

/** Tells browsers to use only HTTPS for this host name for the given number of seconds (RFC 6797). */
function addTransportSecurity(app: FastifyInstance, seconds: number): void {
  if (seconds === 0) return;
  const value = `max-age=${seconds}`;
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('strict-transport-security', value);
    done();
  });
}
