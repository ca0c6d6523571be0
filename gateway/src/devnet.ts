import { join } from 'node:path';
import { startArchivalNode } from './archival/archival-node.js';
import { LOOPBACK, localAddress } from './listen.js';
import { startIn } from './node/data-directory.js';
import { DEVELOPMENT_RELAY, type Registry } from './node/development-data/registry.js';
import { startFullNode } from './node/full-node.js';
import { DEVNET_GENESIS_HASH } from './node/genesis.js';
import { refuseOldLayout } from './node/open-store.js';
import { once } from './once.js';

export interface DevnetOptions {
  /** Of the gateway; 0, the default, lets the system choose. */
  port?: number;
  nodePort?: number;
  archivalPort?: number;
  /** 127.0.0.1 when left out. */
  host?: string;
  /** Where the chain stays from one start to the next; left out, it is a temporary directory that `stop` removes. */
  dataDir?: string;
  blockTimeMs?: number;
  /** The full node's clock, in milliseconds. */
  now?: () => number;
  /** Hears of failures that no request can be told about; a process warning when left out. */
  onError?: (error: Error) => void;
}

export interface Devnet {
  /** Of the gateway, without a slash at the end. */
  url: string;
  nodeUrl: string;
  archivalUrl: string;
  /** Lower hex. */
  genesisHash: string;
  /** Ends the gateway, the archival node and the full node, in this order. */
  stop(): Promise<void>;
}

/** The archival node has the little of a start to catch up in. */
const CATCH_UP_MS = 5_000;

/** Starts the development network in this process and resolves when all of it listens; throws DevnetError for an unusable directory. */
export function startDevnet(options: DevnetOptions = {}): Promise<Devnet> {
  return startIn(options.dataDir, directory => serve(directory, options));
}

async function serve(directory: string, options: DevnetOptions): Promise<Devnet> {
  refuseOldLayout(directory);
  const running: { stop(): Promise<void> }[] = [];
  const stop = once(async () => {
    for (const part of running.splice(0).reverse()) {
      await part.stop();
    }
  });
  try {
    const registry: Registry = { nodes: [], archivals: [], gateways: [], relays: [DEVELOPMENT_RELAY] };
    const { nodePort: port, host = LOOPBACK, blockTimeMs, now, onError } = options;
    const shared = { host, onError, registry };
    const node = await startFullNode({ ...shared, dataDir: join(directory, 'node'), port, blockTimeMs, now });
    running.push(node);
    const archival = await startArchivalNode({
      ...shared,
      dataDir: join(directory, 'archival'),
      port: options.archivalPort,
      follow: node.url,
    });
    running.push(archival);
    registry.nodes = [localAddress(node.url)!];
    registry.archivals = [localAddress(archival.url)!];
    await archival.inStep(CATCH_UP_MS);
    return {
      url: node.url,
      nodeUrl: node.url,
      archivalUrl: archival.url,
      genesisHash: DEVNET_GENESIS_HASH,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
