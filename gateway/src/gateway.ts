import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { openAllowlistStore } from './allowlist/open-store.js';
import { createGatewayApp } from './app.js';
import { once } from './base/once.js';
import { AnswerCache } from './cache/answer-cache.js';
import type { GatewayConfig } from './config/config.js';
import { readChallengeAt } from './files/acme-challenge.js';
import type { GatewayContext } from './gateway-context.js';
import { boundUrl, orListenFailed } from './http/listen.js';
import { portOf, publicUrl } from './http/public-url.js';
import { type Redirection, startRedirection } from './http/redirection.js';
import { type Certificate, createTls, expiryOf, renewTls } from './http/tls.js';
import { AnsweredRequests } from './monitoring/answered-requests.js';
import { publishMetrics } from './monitoring/metrics-server.js';
import type { LoggerOption } from './monitoring/request-log.js';
import { sumTraffic, Traffic, type TrafficCounts } from './monitoring/traffic.js';
import { createChainReader } from './proxy/chain-reader.js';
import { ChainRouter } from './proxy/chain-router.js';
import { FixedReads } from './proxy/fixed-reads.js';
import { answersForHost } from './proxy/host-name.js';
import { LiveDirectory } from './upstream/live-directory.js';
import { NodeConnections } from './upstream/node-connections.js';
import { readNodeTrust } from './upstream/node-trust.js';
import { readRegistry } from './upstream/registry.js';

/** Time for running requests to end once the gateway stops. */
const GRACE_MS = 10_000;
/** Interval at which connections without a running request are closed during the stop. */
const CLOSE_IDLE_MS = 50;

/** How to run a gateway in a program. */
export interface GatewayOptions {
  /** Called with failures that belong to no request; default: a process warning. */
  onError?: (error: Error) => void;
  /** Pino's options or `true`; default: no log. */
  logger?: LoggerOption;
  /** Adds hooks before any route is registered, such as fault injection. */
  extend?: (app: FastifyInstance) => void;
  /**
   * Set in a worker process: the primary serves the metrics, may supply the certificate, and sums the traffic
   * of all workers.
   */
  worker?: {
    certificate?: Certificate;
    /** Undefined if the primary does not answer. */
    readTraffic: () => Promise<readonly TrafficCounts[] | undefined>;
  };
}

/** A gateway that runs in this process. */
export interface Gateway {
  /** The bound address, without a trailing slash. */
  url: string;
  /** The Prometheus endpoint, when configured and this is not a worker. */
  metricsUrl?: string;
  context: GatewayContext;
  /**
   * Uses this certificate, or the current content of the files, for new connections; throws ConfigError and
   * keeps the old one if it is unusable.
   */
  renewCertificate(certificate?: Certificate): Promise<void>;
  /** Closes the listener, gives running requests ten seconds, then closes everything; idempotent. */
  stop(): Promise<void>;
}

/**
 * Starts a gateway in this process; resolves when it has checked its nodes once, or a silent one has been
 * waited for 3 seconds. It listens before that, and has no node yet (503). Throws ConfigError.
 */
export async function startGateway(config: GatewayConfig, options: GatewayOptions = {}): Promise<Gateway> {
  const { onError = warn, worker } = options;
  const tls = await createTls(config, worker?.certificate);
  const trust = await readNodeTrust(config.staticNodes);
  const allowlist = await openAllowlistStore(config, onError);
  const stack = new AsyncStack();
  stack.add(() => allowlist.close());
  try {
    const connections = new NodeConnections(config.timeouts, trust);
    stack.add(() => connections.close());
    const traffic = new Traffic();
    const answers = new AnsweredRequests();
    answers.listen(({ status, bytes }) => traffic.countAnswer(status, bytes));
    const read = (path: string) => readChain(path);
    const nodes = new LiveDirectory({
      config,
      allowlist,
      connections,
      onError,
      onAdmitted: admitted => traffic.keepOnly(admitted),
      readRegistry: () => readRegistry(read, config.allowPrivateNodes),
    });
    const router = new ChainRouter({ config, nodes, connections, traffic });
    const readChain = createChainReader(router);
    const cache = new AnswerCache(config.cacheBytes);
    const fixedReads = new FixedReads({ cache, router, nodes, connections });
    stack.add(() => nodes.stop());
    const readTraffic = async () => sumTraffic((await worker?.readTraffic()) ?? [traffic.counts()]);
    const startedAtMs = Date.now();
    let certificateEndMs = tls && expiryOf(tls);
    const context = {
      config,
      nodes,
      allowlist,
      answers,
      traffic,
      cache,
      readTraffic,
      readChain,
      startedAtMs,
      certificateEndMs: () => certificateEndMs,
      onError,
    };
    const { logger, extend } = options;
    const app = createGatewayApp(context, {
      router,
      fixedReads,
      extend,
      ...(tls && { tls }),
      ...(logger && { logger }),
    });
    stack.add(() => closeGracefully(app));
    const metrics = await publishMetrics(config.metrics, context, worker !== undefined);
    stack.add(async () => metrics?.stop());
    const url = await listen(app, config);
    const redirection = await redirect(app, config);
    stack.add(async () => redirection?.stop());
    await nodes.start();
    return {
      url,
      ...(metrics && { metricsUrl: metrics.url }),
      context,
      renewCertificate: async certificate => {
        const renewed = await renewTls(app.server, config, certificate);
        certificateEndMs = renewed && expiryOf(renewed);
      },
      stop: stack.close,
    };
  } catch (error) {
    await stack.close();
    throw error;
  }
}

/** Closes its parts in reverse order, once. */
class AsyncStack {
  readonly #parts: (() => Promise<void>)[] = [];

  readonly close = once(async () => {
    for (const close of this.#parts.reverse()) await close();
  });

  add(close: () => Promise<void>): void {
    this.#parts.push(close);
  }
}

async function listen(app: FastifyInstance, { listenHost, listenPort, tls }: GatewayConfig): Promise<string> {
  const scheme = tls === undefined ? 'http' : 'https';
  // Fastify does not see that the server factory made an HTTPS server.
  const listenTextResolver = (url: string) => `listening at ${url.replace(/^http\b/, scheme)}`;
  const listening = app.listen({ host: listenHost, port: listenPort, listenTextResolver });
  await orListenFailed(listenHost, listenPort, listening);
  return boundUrl(app.server, scheme);
}

async function redirect(app: FastifyInstance, config: GatewayConfig): Promise<Redirection | undefined> {
  const { redirectPort: port, listenHost: host, acmeDir } = config;
  if (port === undefined) return undefined;
  const bound = app.server.address() as AddressInfo;
  const httpsPort = portOf(publicUrl(config, bound.port));
  const answersFor = (name: string, { socket }: IncomingMessage) =>
    answersForHost(name, config, socket.localAddress ?? '');
  const readHere = acmeDir === undefined ? undefined : (path: string) => readChallengeAt(acmeDir, path);
  return orListenFailed(host, port, startRedirection({ host, port, httpsPort, answersFor, readHere }));
}

/** Node closes idle connections once; this closes those whose request ends later. */
async function closeGracefully(app: FastifyInstance): Promise<void> {
  const idle = setInterval(() => app.server.closeIdleConnections(), CLOSE_IDLE_MS);
  const grace = setTimeout(() => app.server.closeAllConnections(), GRACE_MS);
  try {
    await app.close();
  } finally {
    clearInterval(idle);
    clearTimeout(grace);
  }
}

function warn(error: Error): void {
  process.emitWarning(error);
}
