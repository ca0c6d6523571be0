import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { openAllowlistStore } from './allowlist/open-store.js';
import { createGatewayApp } from './app.js';
import type { GatewayConfig } from './config/config.js';
import { ConfigError, systemCode } from './errors.js';
import type { GatewayContext } from './gateway-context.js';
import { createChainReader } from './proxy/chain-reader.js';
import { ChainRouter } from './proxy/chain-router.js';
import { answersForHost } from './proxy/host-name.js';
import { type Redirection, startRedirection } from './redirection.js';
import type { LoggerOption } from './request-log.js';
import { createTls } from './tls.js';
import { Traffic } from './traffic.js';
import { LiveDirectory } from './upstream/live-directory.js';
import { NodeConnections } from './upstream/node-connections.js';
import { readRegistry } from './upstream/registry.js';

/** Running requests may take this long to end once the gateway stops. */
const GRACE_MS = 10_000;
/** A connection whose last request has ended is looked for this often. */
const CLOSE_IDLE_MS = 50;

export interface GatewayOptions {
  /** Hears of failures that no request can be told about; a process warning when left out. */
  onError?: (error: Error) => void;
  /** Pino's options or `true`; nothing is logged when left out. */
  logger?: LoggerOption;
  /** Adds hooks before any route is there, for faults that host developers ask for. */
  extend?: (app: FastifyInstance) => void;
}

export interface Gateway {
  /** As it listens, without a slash at the end. */
  url: string;
  context: GatewayContext;
  /** Takes no more connections, lets running requests end for ten seconds, and closes everything; safe to call twice. */
  stop(): Promise<void>;
}

/** Starts a gateway in this process, and resolves when it listens and has checked its nodes once; throws ConfigError. */
export async function startGateway(config: GatewayConfig, options: GatewayOptions = {}): Promise<Gateway> {
  const { onError = warn } = options;
  const tls = await createTls(config);
  const allowlist = await openAllowlistStore(config, onError);
  const stack = new AsyncStack();
  stack.add(() => allowlist.close());
  try {
    const connections = new NodeConnections(config.timeouts);
    stack.add(() => connections.close());
    const traffic = new Traffic();
    const read = (path: string) => readChain(path);
    const nodes = new LiveDirectory({
      config,
      allowlist,
      connections,
      onError,
      readRegistry: () => readRegistry(read, config.allowPrivateNodes),
    });
    const router = new ChainRouter({ config, nodes, connections, traffic });
    const readChain = createChainReader(router);
    stack.add(() => nodes.stop());
    await nodes.start();
    const context = { config, nodes, allowlist, traffic, readChain, startedAtMs: Date.now(), onError };
    const { logger, extend } = options;
    const app = createGatewayApp(context, { router, extend, ...(tls && { tls }), ...(logger && { logger }) });
    stack.add(() => closeGracefully(app));
    const url = await listen(app, config);
    const redirection = await redirect(app, config);
    stack.add(async () => redirection?.stop());
    return { url, context, stop: () => stack.close() };
  } catch (error) {
    await stack.close();
    throw error;
  }
}

/** What has to be closed, the last first, each part once. */
class AsyncStack {
  readonly #parts: (() => Promise<void>)[] = [];
  #closed: Promise<void> | undefined;

  add(close: () => Promise<void>): void {
    this.#parts.push(close);
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#closeAll());
  }

  async #closeAll(): Promise<void> {
    for (const close of this.#parts.reverse()) await close();
  }
}

async function listen(app: FastifyInstance, { listenHost, listenPort, tls }: GatewayConfig): Promise<string> {
  try {
    await app.listen({ host: listenHost, port: listenPort });
  } catch (error) {
    throw new ConfigError(
      'CANNOT_LISTEN',
      `cannot listen on ${listenHost} port ${listenPort} (${systemCode(error)})`,
      [],
      { cause: error },
    );
  }
  const { address, family, port } = app.server.address() as AddressInfo;
  const name = family === 'IPv6' ? `[${address}]` : address;
  return `${tls === undefined ? 'http' : 'https'}://${name}:${port}`;
}

async function redirect(app: FastifyInstance, config: GatewayConfig): Promise<Redirection | undefined> {
  if (config.redirectPort === undefined) return undefined;
  return startRedirection({
    host: config.listenHost,
    port: config.redirectPort,
    httpsPort: (app.server.address() as AddressInfo).port,
    answersFor: (host, { socket }) => answersForHost(host, config, socket.localAddress ?? ''),
  });
}

/** Node ends idle connections once; those whose request ends after that are ended here. */
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
