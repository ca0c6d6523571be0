import { type ListenOptions, listen, localAddress, once } from '@zbc-signer/gateway/server';
import { startIn } from '../node/data-directory.js';
import { EMPTY_REGISTRY, type Registry } from '../node/development-data/registry.js';
import { type RunningNode, warn } from '../node/full-node.js';
import { createArchivalApp } from './app.js';
import { ArchivalChain } from './archival-chain.js';
import { askGenesis, Follower } from './follower.js';

/** Options of `startArchivalNode`. */
export interface ArchivalNodeOptions extends ListenOptions {
  /** The full node to follow, as in `http://127.0.0.1:8884`. */
  follow: string;
  /** Default: a temporary directory that `stop` removes. */
  dataDir?: string | undefined;
  /** Receives failures outside requests. Default: a process warning. */
  onError?: ((error: Error) => void) | undefined;
  /** Answers of the registry routes. Default: this node and the followed one. */
  registry?: Registry | undefined;
}

/** An archival node that runs in this process. */
export interface ArchivalNode extends RunningNode {
  /** Resolves once it has every block of the followed node, or at the timeout. */
  inStep(timeoutMs: number): Promise<void>;
}

/**
 * Starts an archival node in this process and resolves when it listens; throws DevnetError for an unusable
 * directory, or for a new one if the node to follow does not answer.
 */
export function startArchivalNode(options: ArchivalNodeOptions): Promise<ArchivalNode> {
  return startIn(options.dataDir, directory => serve(directory, options));
}

async function serve(directory: string, options: ArchivalNodeOptions): Promise<ArchivalNode> {
  const { follow, onError = warn } = options;
  const chain = await ArchivalChain.open(directory, () => askGenesis(follow));
  const own: Registry = { ...EMPTY_REGISTRY };
  const app = createArchivalApp(chain, onError, options.registry ?? own);
  const follower = new Follower(chain, follow, onError);
  const stop = once(async () => {
    await follower.stop();
    await app.close();
    await chain.close();
  });
  try {
    const url = await listen(app, options);
    follower.start();
    own.nodes = [localAddress(follow)].filter(address => address !== undefined);
    own.archivals = [localAddress(url)].filter(address => address !== undefined);
    const { genesisHash } = chain.store;
    return { url, genesisHash, stop, inStep: timeoutMs => follower.inStep(timeoutMs) };
  } catch (error) {
    await stop();
    throw error;
  }
}
