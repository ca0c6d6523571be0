import { once } from 'node:events';
import type { Server } from 'node:http';
import { callListener } from '@zbc-signer/protocol/callbacks';
import type { FastifyInstance } from 'fastify';
import { Allowlist } from './allowlist/allowlist.js';
import { createGatewayApp } from './app.js';
import { AsyncStack } from './base/async-stack.js';
import type { GatewayConfig } from './config/config.js';
import type { GatewayContext } from './gateway-context.js';
import { createHttpServer } from './http/http-server.js';
import { boundUrl, inheritedSocket, orListenFailed } from './http/listen.js';
import {
  type Certificate,
  certificateFaults,
  checkRenewal,
  expiryOf,
  loadCertificate,
  replaceCertificate,
} from './http/tls.js';
import { Clients } from './limits/client.js';
import { AnsweredRequests, type LoggerOption, requestLog } from './monitoring/answered-requests.js';
import { createMetrics, startMetricsServer } from './monitoring/metrics.js';
import { Traffic } from './monitoring/traffic.js';
import { NodeDirectory } from './nodes/node-directory.js';
import { admissionRule, readRegistry } from './nodes/registry.js';
import { createChainReader } from './proxy/chain-reader.js';
import { ChainRouter } from './proxy/chain-router.js';
import { NodeConnections } from './upstream/node-connections.js';
import { readNodeTrust } from './upstream/node-trust.js';

/** Time that running requests have to finish during a stop. */
const GRACE_MS = 10_000;
/** Interval at which idle connections are closed during a stop. */
const CLOSE_IDLE_MS = 50;
/** Time by which the idle limit of a connection exceeds the time limit of one request. */
const IDLE_SPARE_MS = 10_000;

/** Options of `startGateway`. */
export interface GatewayOptions {
  /** Called with failures that belong to no request. By default, the gateway emits a process warning. */
  onError?: (error: Error) => void;
  /** Pino's options, or `true` for its defaults. By default, nothing is logged. */
  logger?: LoggerOption;
  /** Directory of the built wallet page, `WALLET_DIRECTORY` of `@zbc-signer/wallet`. The setting `wallet` needs it. */
  walletDirectory?: URL;
  /** Adds hooks before any route is registered, such as fault injection. If it fails, the start fails. */
  extend?: (app: FastifyInstance) => unknown;
}

/** A gateway that runs in this process. */
export interface Gateway {
  /** URL of the bound address, without a trailing slash. */
  url: string;
  /** URL of the metrics for Prometheus, if configured. */
  metricsUrl?: string;
  /** What the routes share. */
  readonly context: GatewayContext;
  /**
   * Reads the certificate and the key again, for new connections. Throws ConfigError TLS_UNUSABLE and keeps
   * the old certificate if the new one is unusable, or has expired and the old one has not.
   */
  renewCertificate(): Promise<void>;
  /** Closes the listener, gives running requests ten seconds, then closes everything; idempotent. */
  stop(): Promise<void>;
}

/**
 * Starts a gateway in this process. Resolves once it has checked its nodes; it waits at most 3 seconds for
 * nodes that do not answer. It listens earlier, and answers 503 until then. Throws ConfigError.
 */
export async function startGateway(config: GatewayConfig, options: GatewayOptions = {}): Promise<Gateway> {
  const stack = new AsyncStack();
  try {
    return await start(config, options, stack);
  } catch (error) {
    await stack.close();
    throw error;
  }
}

async function start(config: GatewayConfig, options: GatewayOptions, stack: AsyncStack): Promise<Gateway> {
  const startedAtMs = performance.now();
  const { logger, walletDirectory } = options;
  const listener = options.onError ?? ((error: Error) => process.emitWarning(error.stack ?? error.message));
  const onError = (error: Error) => void callListener(listener, error);
  const [traffic, answers, refused] = [new Traffic(), new AnsweredRequests(), { all: 0, client: 0 }];
  let certificate = await loadCertificate(config);
  const { limits, timeouts } = config;
  const clients = new Clients(config.trustedProxies);
  const server = createHttpServer((request, response) => app.routing(request, response), {
    idleMs: 2 * (timeouts.connectMs + timeouts.answerMs + timeouts.pieceMs) + IDLE_SPARE_MS,
    connections: {
      total: limits.connections,
      perClient: limits.connectionsPerClient,
      clientOf: address => clients.nameOfConnection(address),
      onRefused: limit => (refused[limit] += 1),
    },
    tls: certificate,
  });
  const allowlist = await Allowlist.open(config.stateFile);
  stack.add(() => allowlist.close());
  const connections = new NodeConnections(config.timeouts, await readNodeTrust(config.staticNodes));
  stack.add(() => connections.close());
  const nodes = new NodeDirectory({
    config,
    allowlist,
    connections,
    onAdmitted: admitted => traffic.keepOnly(admitted),
    onNodeChange: (line, level) => app.log[level](line),
    readRegistry: () => readRegistry(path => readChain(path), admissionRule(config)),
  });
  stack.add(() => nodes.stop());
  const router = new ChainRouter({ config, nodes, connections, traffic });
  const readChain = createChainReader(router);
  const own = { config, nodes, allowlist, readChain, walletDirectory, startedAtMs, onError };
  const context = { ...own, answers, traffic };
  let extended: unknown;
  const extend = (instance: FastifyInstance) => {
    extended = options.extend?.(instance);
  };
  const app = await createGatewayApp(context, { clients, router, server, extend, logger });
  stack.add(() => close(server, app));
  await extended;
  await app.ready();
  if (logger) answers.listen(requestLog(app.log));
  const warnOf = (loaded: Certificate) => {
    for (const fault of certificateFaults(loaded, config)) app.log.warn(fault);
  };
  if (certificate !== undefined) warnOf(certificate);
  const certificateEndMs = () => certificate && expiryOf(certificate);
  const sources = { answers, traffic, certificateEndMs, refused, directory: nodes };
  const metrics = config.metrics && (await startMetricsServer(config.metrics, await createMetrics(sources)));
  if (metrics !== undefined) stack.add(() => metrics.stop());
  const url = await listen(server, config);
  app.log.info(`listening at ${url}`);
  await nodes.start();
  if (!nodes.nodes().some(({ routed }) => routed)) {
    app.log.warn('requests can go to no node');
  }
  return {
    url,
    ...(metrics && { metricsUrl: metrics.url }),
    context,
    renewCertificate: async () => {
      const renewed = await loadCertificate(config);
      if (renewed === undefined) return;
      checkRenewal(renewed, certificate);
      replaceCertificate(server, renewed);
      certificate = renewed;
      warnOf(renewed);
    },
    stop: stack.close,
  };
}

async function listen(server: Server, { listenHost, listenPort, tls }: GatewayConfig): Promise<string> {
  const place = inheritedSocket() ?? { host: listenHost, port: listenPort };
  await orListenFailed(listenHost, listenPort, once(server.listen(place), 'listening'));
  return boundUrl(server, tls === undefined ? 'http' : 'https');
}

/**
 * Closes each connection after its next answer. Node closes idle connections only once, at the beginning;
 * this function also closes those that become idle later.
 */
async function close(server: Server, app: FastifyInstance): Promise<void> {
  const closed = app.close();
  if (server.listening) {
    const idle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS);
    const grace = setTimeout(() => server.closeAllConnections(), GRACE_MS);
    const ended = once(server, 'close');
    server.close();
    await ended;
    clearInterval(idle);
    clearTimeout(grace);
  }
  await closed;
}
