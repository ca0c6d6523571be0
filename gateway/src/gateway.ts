import { once } from 'node:events';
import type { Server } from 'node:http';
import { bindMembers } from '@zbc-signer/protocol/bound-members';
import { callListener } from '@zbc-signer/protocol/callbacks';
import type { FastifyInstance } from 'fastify';
import { AsyncStack } from './base/async-stack.js';
import { ConfigError } from './base/errors.js';
import type { GatewayConfig } from './config/config.js';
import { checkReloadable, type LoadedConfig } from './config/load.js';
import type { GatewayContext } from './gateway-context.js';
import { createGeneration, type Generation } from './generation.js';
import { type ConnectionLimits, type RefusedConnections, setConnectionLimit } from './http/connections.js';
import { createHttpServer } from './http/http-server.js';
import { boundUrl, orListenFailed } from './http/listen.js';
import { ReplaceableListener } from './http/replaceable-listener.js';
import {
  type Certificate,
  certificateFaults,
  checkRenewal,
  expiryOf,
  loadCertificate,
  replaceCertificate,
} from './http/tls.js';
import { createAddressNamer } from './limits/client.js';
import { AnsweredRequests } from './monitoring/answered-requests.js';
import { createMetrics } from './monitoring/metrics.js';
import { startMetricsServer } from './monitoring/metrics-server.js';
import { type LoggerOption, requestLog } from './monitoring/request-log.js';
import { Traffic } from './monitoring/traffic.js';
import { describeState, stateOf } from './nodes/node-state.js';

/** Time that running requests have to finish during a stop. */
const GRACE_MS = 10_000;
/** Interval at which idle connections are closed during a stop. */
const CLOSE_IDLE_MS = 50;
/**
 * Time limit for requests that run under a replaced configuration. It is longer than the time limit of a
 * streamed response.
 */
const RETIRED_MS = 360_000;
/** Maximum number of nodes whose faults are listed in one message. */
const MOST_FAULTS = 4;
/** Time by which the idle limit of a connection exceeds the time limit of one request. */
const IDLE_SPARE_MS = 10_000;

/** Options of `startGateway`. */
export interface GatewayOptions {
  /** Called with failures that belong to no request. By default, the gateway emits a process warning. */
  onError?: (error: Error) => void;
  /** Pino's options, or `true` for its defaults. By default, nothing is logged. */
  logger?: LoggerOption;
  /** Reads the configuration for a reload; throws ConfigError. */
  readConfig?: () => Promise<LoadedConfig>;
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
  /** The context of the configuration in force. */
  readonly context: GatewayContext;
  /**
   * Reloads the configuration and the certificate files for new requests; no connection is closed. Throws
   * ConfigError and keeps the old configuration if the new one is invalid, needs a restart, or would leave no
   * node to which requests can go.
   */
  reload(): Promise<void>;
  /** Closes the listener, gives running requests ten seconds, then closes everything; idempotent. */
  stop(): Promise<void>;
}

/**
 * Starts a gateway in this process. Resolves once it has checked its nodes; it waits at most 3 seconds for
 * nodes that do not answer. It listens earlier, and answers 503 until then. Throws ConfigError.
 */
export async function startGateway(config: GatewayConfig, options: GatewayOptions = {}): Promise<Gateway> {
  const gateway = new RunningGateway(config, options);
  try {
    await gateway.start();
    return gateway;
  } catch (error) {
    await gateway.stop();
    throw error;
  }
}

class RunningGateway implements Gateway {
  url = '';
  metricsUrl?: string;
  readonly #config: GatewayConfig;
  readonly #options: GatewayOptions;
  readonly #onError: (error: Error) => void;
  readonly #listener = new ReplaceableListener();
  readonly #stack = new AsyncStack();
  readonly #traffic = new Traffic();
  readonly #answers = new AnsweredRequests();
  readonly #refused = { all: 0, client: 0 };
  readonly #startedAtMs = performance.now();
  readonly #connections: ConnectionLimits;
  #server: Server | undefined;
  /** The certificate in use; undefined without TLS. */
  #certificate: Certificate | undefined;
  #current: Generation | undefined;
  /** Replaced generations that still have requests in flight. */
  readonly #retired = new Set<Generation>();
  /** The last reload; the next reload starts after it. */
  #last: Promise<unknown> = Promise.resolve();
  #isStopped = false;

  constructor(config: GatewayConfig, options: GatewayOptions) {
    bindMembers(this);
    this.#config = config;
    this.#options = options;
    const { onError = (error: Error) => process.emitWarning(error.stack ?? error.message) } = options;
    this.#onError = error => void callListener(onError, error);
    const onRefused = (limit: keyof RefusedConnections) => (this.#refused[limit] += 1);
    this.#connections = { ...connectionLimits(config), onRefused };
    this.#answers.listen(({ status, bytes }) => this.#traffic.countAnswer(status, bytes));
  }

  get context(): GatewayContext {
    return this.#generation.context;
  }

  get #generation(): Generation {
    if (this.#current === undefined) throw new Error('the gateway has not started');
    return this.#current;
  }

  async start(): Promise<void> {
    const config = this.#config;
    const tls = await loadCertificate(config);
    this.#certificate = tls;
    const server = createHttpServer(this.#listener.handle, {
      idleMs: idleMs(config),
      connections: this.#connections,
      tls,
    });
    this.#server = server;
    const first = await this.#create(config);
    this.#current = first;
    if (this.#options.logger) this.#answers.listen(requestLog(first.log));
    this.#warnOf(tls, first);
    void this.#listener.replace(first.answer);
    this.#stack.add(() => this.#stopGenerations());
    this.#stack.add(() => {
      for (const generation of [this.#generation, ...this.#retired]) generation.end();
      return closeGracefully(server, this.#listener);
    });
    const sources = {
      answers: this.#answers,
      traffic: this.#traffic,
      certificateEndMs: () => this.#certificate && expiryOf(this.#certificate),
      refused: this.#refused,
      current: () => this.context,
    };
    const metrics =
      config.metrics && (await startMetricsServer(config.metrics, await createMetrics(sources)));
    this.#stack.add(async () => metrics?.stop());
    if (metrics !== undefined) this.metricsUrl = metrics.url;
    this.url = await listen(server, config);
    first.log.info(`listening at ${this.url}`);
    await first.start();
    if (!hasRoute(first.context)) first.log.warn(`requests can go to no node: ${faultsOf(first.context)}`);
  }

  reload(): Promise<void> {
    const result = this.#last.then(() => this.#reload());
    this.#last = result.catch(() => undefined);
    return result;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#stack.close();
  }

  #warnOf(certificate: Certificate | undefined, { context, log }: Generation): void {
    if (certificate === undefined) return;
    for (const fault of certificateFaults(certificate, context.config)) log.warn(fault);
  }

  async #reload(): Promise<void> {
    const { context } = this.#generation;
    const { config, warnings } = (await this.#options.readConfig?.()) ?? {
      config: context.config,
      warnings: [],
    };
    checkReloadable(context.config, config);
    const tls = await loadCertificate(config);
    checkRenewal(tls, this.#certificate);
    const next = await this.#create(config, context);
    const abandon = () => next.stop(next.context.allowlist === context.allowlist);
    try {
      await next.start();
      if (hasRoute(context)) await requireRoute(next.context);
    } catch (error) {
      await abandon();
      throw error;
    }
    if (this.#isStopped) return abandon();
    if (tls !== undefined) replaceCertificate(this.#server!, tls);
    this.#certificate = tls;
    next.accept();
    for (const warning of warnings) next.log.warn(warning);
    this.#warnOf(tls, next);
    Object.assign(this.#connections, connectionLimits(config));
    setConnectionLimit(this.#server!, this.#connections);
    this.#server!.setTimeout(idleMs(config));
    this.#replace(next);
  }

  #replace(next: Generation): void {
    const previous = this.#generation;
    this.#current = next;
    this.#retired.add(previous);
    const ended = this.#listener.replace(next.answer);
    const keepStore = next.context.allowlist === previous.context.allowlist;
    const stop = () => {
      clearTimeout(overdue);
      this.#retired.delete(previous);
      previous.stop(keepStore).catch(this.#onError);
    };
    const overdue = setTimeout(stop, RETIRED_MS);
    overdue.unref();
    void previous
      .retire()
      .then(() => ended)
      .then(stop);
  }

  #create(config: GatewayConfig, previous?: GatewayContext): Promise<Generation> {
    const { readConfig, logger, walletDirectory, extend } = this.#options;
    const lasting = {
      server: this.#server!,
      logger,
      extend,
      answers: this.#answers,
      traffic: this.#traffic,
      reload: readConfig && (() => this.reload()),
      walletDirectory,
      startedAtMs: this.#startedAtMs,
      onError: this.#onError,
    };
    return createGeneration(config, lasting, previous);
  }

  async #stopGenerations(): Promise<void> {
    const { allowlist } = this.context;
    await Promise.all(
      [...this.#retired].map(generation => generation.stop(generation.context.allowlist === allowlist)),
    );
    await this.#current?.stop();
  }
}

function connectionLimits({ limits, trustedProxies }: GatewayConfig): ConnectionLimits {
  return {
    total: limits.connections,
    perClient: limits.connectionsPerClient,
    clientOf: createAddressNamer(trustedProxies),
  };
}

/** Returns the time without any transfer after which a connection is closed. */
function idleMs({ timeouts: { connectMs, answerMs, pieceMs } }: GatewayConfig): number {
  return 2 * (connectMs + answerMs + pieceMs) + IDLE_SPARE_MS;
}

async function listen(server: Server, { listenHost, listenPort, tls }: GatewayConfig): Promise<string> {
  const listening = once(server.listen({ host: listenHost, port: listenPort }), 'listening');
  await orListenFailed(listenHost, listenPort, listening);
  return boundUrl(server, tls === undefined ? 'http' : 'https');
}

/**
 * Node closes idle connections only once, at the beginning. This function also closes those that become idle
 * later.
 */
async function closeGracefully(server: Server, listener: ReplaceableListener): Promise<void> {
  listener.close();
  if (!server.listening) return;
  const idle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS);
  const grace = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  const closed = once(server, 'close');
  server.close();
  await closed;
  clearInterval(idle);
  clearTimeout(grace);
}

function hasRoute({ nodes }: GatewayContext): boolean {
  return nodes.nodes().some(({ routed }) => routed);
}

/**
 * Throws ConfigError if requests can go to no node. Before that, checks the nodes once more, because one of
 * them may have been slow to answer.
 */
async function requireRoute(context: GatewayContext): Promise<void> {
  if (!hasRoute(context)) await context.nodes.refresh();
  if (hasRoute(context)) return;
  throw new ConfigError(
    'CONFIG_INVALID',
    `under the new configuration, requests could go to no node: ${faultsOf(context)}`,
  );
}

/** Lists the faults of the first nodes. */
function faultsOf({ nodes }: GatewayContext): string {
  const all = nodes.nodes();
  if (all.length === 0) return 'no node is admitted';
  const some = all.slice(0, MOST_FAULTS).map(node => describeState(node, stateOf(node, nodes.genesisHash())));
  const more = all.length > MOST_FAULTS ? [`and ${all.length - MOST_FAULTS} more`] : [];
  return [...some, ...more].join('; ');
}
