import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { createNodeApp } from './node/app.js';
import { DevelopmentChain } from './node/development-chain.js';
import { DEVNET_GENESIS_HASH } from './node/genesis.js';

export interface DevnetOptions {
  /** 0, the default, lets the system choose. */
  port?: number;
  /** 127.0.0.1 when left out. */
  host?: string;
  /** Where the chain stays from one start to the next; left out, it is a temporary directory that `stop` removes. */
  dataDir?: string;
  blockTimeMs?: number;
  /** The node's clock, in milliseconds. */
  now?: () => number;
  /** Hears of failures that no request can be told about; a process warning when left out. */
  onError?: (error: Error) => void;
}

export interface Devnet {
  /** Without a slash at the end. */
  url: string;
  /** Lower hex. */
  genesisHash: string;
  /** Ends block production and the server and closes the store. */
  stop(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';
const BLOCK_TIME_MS = 2000;

/** Starts the development network in this process and resolves when it listens; throws DevnetError for an unusable directory. */
export async function startDevnet(options: DevnetOptions = {}): Promise<Devnet> {
  if (options.dataDir !== undefined) {
    return serve(options.dataDir, options);
  }
  const directory = await mkdtemp(join(tmpdir(), 'zbc-devnet-'));
  const remove = () => rm(directory, { recursive: true, force: true });
  try {
    const devnet = await serve(directory, options);
    return { ...devnet, stop: once(() => devnet.stop().then(remove)) };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function serve(directory: string, options: DevnetOptions): Promise<Devnet> {
  const { now = Date.now, onError = warn, blockTimeMs = BLOCK_TIME_MS } = options;
  const chain = await DevelopmentChain.open(directory, now);
  const app = createNodeApp(chain, onError);
  const ticker = startTicker(chain, blockTimeMs, onError);
  const stop = once(async () => {
    clearInterval(ticker);
    await app.close();
    await chain.close();
  });
  try {
    return { url: await listen(app, options), genesisHash: DEVNET_GENESIS_HASH, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function listen(app: FastifyInstance, { port = 0, host = LOOPBACK }: DevnetOptions): Promise<string> {
  await app.listen({ port, host });
  const bound = app.server.address() as AddressInfo;
  const name = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
  return `http://${name}:${bound.port}`;
}

/** A block that fails changes nothing, and the next one tries again. */
function startTicker(chain: DevelopmentChain, blockTimeMs: number, onError: (error: Error) => void) {
  return setInterval(() => {
    try {
      chain.produceBlock();
    } catch (error) {
      onError(error instanceof Error ? error : new Error(String(error)));
    }
  }, blockTimeMs);
}

function warn(error: Error): void {
  process.emitWarning(error);
}

/** The same promise to every caller, so that stopping twice is harmless. */
function once(action: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= action());
}
