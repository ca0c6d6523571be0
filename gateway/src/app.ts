import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { type FastifyInstance, LogController } from 'fastify';
import type { GatewayContext } from './gateway-context.js';
import { addCrossOrigin, addPreflights } from './http/cross-origin.js';
import type { Exchange } from './http/exchange.js';
import { MAX_HEAD_BYTES, refuseClient } from './http/http-server.js';
import { createJsonApp } from './http/json-app.js';
import { NodeExchange } from './http/node-exchange.js';
import { addTransportSecurity } from './http/transport-security.js';
import { clientAddressing } from './limits/client.js';
import { addRateLimits } from './limits/rate-limits.js';
import { addRunningLimits, RunningRequests } from './limits/running-requests.js';
import { LOG_SERIALIZERS, type LoggerOption } from './monitoring/request-log.js';
import { AnswerCoder } from './proxy/answer-coder.js';
import type { ChainRouter } from './proxy/chain-router.js';
import { addChainRoutes } from './proxy/chain-routes.js';
import type { FixedReads } from './proxy/fixed-reads.js';
import { createQuickAnswers } from './proxy/quick-answers.js';
import { addRefusals, addRequestChecks, hostOfGet, isChainRequest } from './proxy/request-checks.js';
import { routableTarget } from './proxy/request-target.js';
import type { BlockHistory } from './push/block-history.js';
import { addEventRoutes } from './push/event-routes.js';
import { addOwnRoutes } from './routes/own-routes.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** Answers reads of the chain before any hook runs, where it can, and else like `routing`. */
    answer: RequestListener;
    /** Answers such a read alone. */
    answerPlain: (exchange: Exchange) => boolean;
  }
}

/** Added to the time that a node may take between two chunks. */
const SLOW_READER_MS = 10_000;

interface GatewayAppOptions {
  router: ChainRouter;
  fixedReads: FixedReads;
  /** For streams of events. */
  blocks: BlockHistory;
  /** Whose requests it answers. */
  server: Server;
  /** Pino's options or `true`; nothing is logged when left out. */
  logger?: LoggerOption;
  /** Adds hooks before any route is registered. */
  extend?: ((app: FastifyInstance) => void) | undefined;
}

/**
 * The gateway's HTTP app: checks each request, counts it against its client, then rejects it or answers it
 * itself or through a node.
 */
export function createGatewayApp(context: GatewayContext, options: GatewayAppOptions): FastifyInstance {
  const { config, nodes, answers } = context;
  const { pieceMs } = config.timeouts;
  // Those of a previous app on the same server.
  options.server.removeAllListeners('clientError');
  const app = createJsonApp(context.onError, {
    serverFactory: () => options.server,
    clientErrorHandler: refuseClient,
    routerOptions: { maxParamLength: MAX_HEAD_BYTES },
    rewriteUrl: routableTarget,
    logController: new LogController({ disableRequestLogging: true }),
    // A line names all it says: nothing is made for each request.
    childLoggerFactory: logger => logger,
    logger: loggerOf(options.logger),
  });
  answers.follow(app, clientAddressing(config.trustedProxies));
  addTransportSecurity(app, config.hstsSeconds);
  addRequestChecks(app, config, nodes);
  addCrossOrigin(app, { origins: config.corsOrigins, isShared: isChainRequest });
  const windows = addRateLimits(app, context);
  addPreflights(app, ({ refusal }) => refusal);
  addRefusals(app);
  const running = new RunningRequests(config.limits);
  addRunningLimits(app, running, config, isChainRequest);
  const slowReaderMs = pieceMs + SLOW_READER_MS;
  endSlowReaders(app, slowReaderMs);
  options.extend?.(app);
  addEventRoutes(app, { config, router: options.router, history: options.blocks });
  addOwnRoutes(app, context, options.router);
  const { router, fixedReads } = options;
  const reads = { router, fixedReads, coder: new AnswerCoder() };
  const retryAfterSeconds = Math.ceil(config.healthIntervalMs / 1000);
  addChainRoutes(app, reads, retryAfterSeconds);
  const { onError } = context;
  const quickly =
    options.extend === undefined
      ? createQuickAnswers({
          config,
          reads,
          windows,
          running,
          answers,
          retryAfterSeconds,
          slowReaderMs,
          onError,
        })
      : () => false;
  app.decorate('answerPlain', quickly);
  app.decorate('answer', (request: IncomingMessage, response: ServerResponse) => {
    const host = response.socket === null ? undefined : hostOfGet(request);
    const isAnswered = host !== undefined && quickly(new NodeExchange(request, response, host));
    if (!isAnswered) app.routing(request, response);
  });
  return app;
}

/** Closes connections on which a response makes no progress for this long. */
function endSlowReaders(app: FastifyInstance, ms: number): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    reply.raw.setTimeout(ms);
    done(null, payload);
  });
}

function loggerOf(logger: LoggerOption): NonNullable<LoggerOption> {
  if (!logger) return false;
  return { ...(logger === true ? {} : logger), serializers: LOG_SERIALIZERS };
}
