import type { RequestListener, Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { AllowlistStore } from './allowlist/allowlist-store.js';
import { openAllowlistStore } from './allowlist/file-store.js';
import { createGatewayApp } from './app.js';
import { AsyncStack, once } from './base/async-stack.js';
import type { GatewayConfig } from './config/config.js';
import type { GatewayContext } from './gateway-context.js';
import type { LoggerOption } from './monitoring/request-log.js';
import { LiveDirectory } from './nodes/live-directory.js';
import { admissionRule, readRegistry } from './nodes/registry.js';
import { createChainReader } from './proxy/chain-reader.js';
import { ChainRouter } from './proxy/chain-router.js';
import { NodeConnections } from './upstream/node-connections.js';
import { readNodeTrust } from './upstream/node-trust.js';

/** The parts of a gateway that a reload keeps. */
type Lasting = Pick<
  GatewayContext,
  'answers' | 'traffic' | 'walletDirectory' | 'startedAtMs' | 'reload' | 'onError'
> & {
  server: Server;
  logger: LoggerOption;
  extend: ((app: FastifyInstance) => unknown) | undefined;
};

/** The parts of a gateway that depend on its configuration. */
export interface Generation {
  answer: RequestListener;
  context: GatewayContext;
  log: FastifyInstance['log'];
  /**
   * Called when the configuration takes effect. Writes the log lines about nodes that were held back until
   * then.
   */
  accept(): void;
  /**
   * Starts the node checks. Resolves after the first one, or after the maximum wait for nodes that do not
   * answer.
   */
  start(): Promise<void>;
  /** Begins a stop: closes each connection after its next response. */
  end(): void;
  /** Stops node checks. Running requests continue. */
  retire(): Promise<void>;
  /**
   * Stops everything, including the connections to nodes. With `keepStore`, the allowlist's store stays open,
   * because another generation uses it.
   */
  stop(keepStore?: boolean): Promise<void>;
}

/**
 * Creates a generation. Reuses the allowlist's store of the previous generation if both name the same file.
 * Throws ConfigError.
 */
export async function createGeneration(
  config: GatewayConfig,
  lasting: Lasting,
  previous?: GatewayContext,
): Promise<Generation> {
  const { onError, traffic } = lasting;
  const allowlist = await storeFor(config, onError, previous);
  const stack = new AsyncStack();
  /** Log entries that wait until the configuration is accepted. */
  let held: (() => void)[] | undefined = previous && [];
  let keepStore = allowlist === previous?.allowlist;
  stack.add(async () => {
    if (!keepStore) await allowlist.close();
  });
  try {
    const connections = new NodeConnections(config.timeouts, await readNodeTrust(config.staticNodes));
    stack.add(() => connections.close());
    const read = (path: string) => readChain(path);
    const nodes = new LiveDirectory({
      config,
      allowlist,
      connections,
      onError,
      onAdmitted: admitted => traffic.keepOnly(admitted),
      onNodeChange: (line, level) => {
        const tell = () => app.log[level](line);
        if (held === undefined) tell();
        else held.push(tell);
      },
      previousGenesisHash: previous?.nodes.genesisHash(),
      readRegistry: () => readRegistry(read, admissionRule(config)),
    });
    stack.add(() => nodes.stop());
    const router = new ChainRouter({ config, nodes, connections, traffic });
    const readChain = createChainReader(router);
    const { server, logger, extend, ...shared } = lasting;
    const context: GatewayContext = { ...shared, config, nodes, allowlist, readChain };
    let extended: unknown;
    const extendApp = (app: FastifyInstance) => {
      extended = extend?.(app);
    };
    const app = await createGatewayApp(context, { router, server, extend: extendApp, logger });
    const close = once(() => app.close());
    stack.add(close);
    await extended;
    await app.ready();
    return {
      context,
      answer: (request, response) => app.routing(request, response),
      log: app.log,
      accept: () => {
        for (const tell of held ?? []) tell();
        held = undefined;
      },
      start: () => nodes.start(),
      end: () => void close().catch(onError),
      retire: () => nodes.stop(),
      stop: (keep = false) => {
        keepStore = keep;
        return stack.close();
      },
    };
  } catch (error) {
    await stack.close();
    throw error;
  }
}

async function storeFor(
  config: GatewayConfig,
  onError: (error: Error) => void,
  previous: GatewayContext | undefined,
): Promise<AllowlistStore> {
  const isSame = previous !== undefined && config.stateFile === previous.config.stateFile;
  return isSame ? previous.allowlist : openAllowlistStore(config.stateFile, onError);
}
