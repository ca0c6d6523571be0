import { type ListenOptions, listen, localAddress, once } from '@zbc-signer/gateway/server';
import { startInDirectory } from '../node/data-directory.js';
import { EMPTY_REGISTRY, type Registry } from '../node/development-data/registry.js';
import { errorListener, type RunningNode } from '../node/full-node.js';
import { createArchivalApp } from './app.js';
import { ArchivalChain } from './archival-chain.js';
import { askGenesis, Follower } from './follower.js';
import { createSecondFullApp } from './second-full-app.js';

/** Options of `startArchivalNode`, which also starts a full node that follows another one. */
export interface ArchivalNodeOptions extends ListenOptions {
  /** URL of the full node to follow, such as `http://127.0.0.1:8884`. */
  follow: string;
  /** Role of this node: `full` for a second full node. Default: `archival`. */
  role?: 'full' | 'archival' | undefined;
  /** The data directory. Default: a temporary directory that `stop` removes. */
  dataDir?: string | undefined;
  /** Called with failures that belong to no request. Default: a process warning. */
  onError?: ((error: Error) => void) | undefined;
  /** Content of the registry routes. Default: this node and the followed node. */
  registry?: Registry | undefined;
}

/** A following node that runs in this process. */
export interface ArchivalNode extends RunningNode {
  /** Resolves when this node has every block of the followed node, or when the timeout has passed. */
  inStep(timeoutMs: number): Promise<void>;
}

/**
 * Starts an archival node, or a full node that follows another one, in this process. Resolves when it listens.
 * Throws DevnetError if the directory is unusable, or if it is new and the node to follow does not answer.
 */
export function startArchivalNode(options: ArchivalNodeOptions): Promise<ArchivalNode> {
  return startInDirectory(options.dataDir, directory => serve(directory, options));
}

async function serve(directory: string, options: ArchivalNodeOptions): Promise<ArchivalNode> {
  const { follow } = options;
  const onError = errorListener(options);
  const chain = await ArchivalChain.open(directory, () => askGenesis(follow));
  const own: Registry = { ...EMPTY_REGISTRY };
  const { registry = own, role = 'archival' } = options;
  const app =
    role === 'full'
      ? createSecondFullApp(chain, follow, onError, registry)
      : createArchivalApp(chain, onError, registry);
  const follower = new Follower(chain, follow, onError);
  const stop = once(async () => {
    await follower.stop();
    await app.close();
    await chain.close();
  });
  try {
    const url = await listen(app, options);
    follower.start();
    const known = (each: string) => localAddress(each) ?? [];
    own.nodes = (role === 'full' ? [follow, url] : [follow]).flatMap(known);
    own.archivals = (role === 'full' ? [] : [url]).flatMap(known);
    const { genesisHash } = chain.store;
    return { url, genesisHash, stop, inStep: timeoutMs => follower.inStep(timeoutMs) };
  } catch (error) {
    await stop();
    throw error;
  }
}
