import { type ListenOptions, listen, localAddress, once } from '@zbc-signer/gateway/server';
import { callListener } from '@zbc-signer/protocol/callbacks';
import { createNodeApp } from './app.js';
import { type ChainOptions, DevelopmentChain } from './chain/development-chain.js';
import { startInDirectory } from './data-directory.js';
import { EMPTY_REGISTRY, type Registry } from './development-data/registry.js';

/** Options of `startFullNode`. The default block time is 2,000 ms. */
export interface FullNodeOptions extends ListenOptions, ChainOptions {
  /** The data directory. Default: a temporary directory that `stop` removes. */
  dataDir?: string | undefined;
  blockTimeMs?: number | undefined;
  /** The node's clock. Returns Unix time in milliseconds. */
  now?: (() => number) | undefined;
  /** Called with failures that belong to no request. Default: a process warning. */
  onError?: ((error: Error) => void) | undefined;
  /** Content of the registry routes. Default: this node. */
  registry?: Registry | undefined;
}

/** A node that runs in this process. */
export interface RunningNode {
  /** URL of the node's API, without a trailing slash. */
  url: string;
  /** Genesis hash of the node's chain, in lower-case hex. */
  genesisHash: string;
  /** Stops block production and the server, then closes the store. */
  stop(): Promise<void>;
}

const BLOCK_TIME_MS = 2000;

/**
 * Starts a full node in this process. Resolves when it listens. Throws DevnetError if the directory is
 * unusable.
 */
export function startFullNode(options: FullNodeOptions = {}): Promise<RunningNode> {
  return startInDirectory(options.dataDir, directory => serve(directory, options));
}

async function serve(directory: string, options: FullNodeOptions): Promise<RunningNode> {
  const { now = Date.now, blockTimeMs = BLOCK_TIME_MS } = options;
  const onError = errorListener(options);
  const chain = await DevelopmentChain.open(directory, now, options);
  const own: Registry = { ...EMPTY_REGISTRY };
  const app = createNodeApp(chain, onError, options.registry ?? own);
  const ticker = startTicker(chain, blockTimeMs, onError);
  const stop = once(async () => {
    clearInterval(ticker);
    await app.close();
    await chain.close();
  });
  try {
    const url = await listen(app, options);
    own.nodes = [localAddress(url)].filter(address => address !== undefined);
    return { url, genesisHash: chain.store.genesisHash, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Makes a block at every tick. A block that fails changes nothing, and the next tick tries again. A failure
 * that persists is reported once.
 */
function startTicker(chain: DevelopmentChain, blockTimeMs: number, onError: (error: Error) => void) {
  let lastFault = '';
  return setInterval(() => {
    try {
      chain.produceBlock();
      lastFault = '';
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      if (error.message !== lastFault) onError(error);
      lastFault = error.message;
    }
  }, blockTimeMs);
}

/** The function that reports failures of a node: it calls `onError`, and never fails. */
export function errorListener({ onError = warn }: Pick<FullNodeOptions, 'onError'>): (error: Error) => void {
  return error => void callListener(onError, error);
}

function warn(error: Error): void {
  process.emitWarning(error.stack ?? error.message);
}
