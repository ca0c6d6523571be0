import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { findBlock, latestBlock } from '../chain/block.js';
import type { ChainReader } from '../chain/development-chain.js';
import { parseIntegerParameter, type RequireFound } from '../http/parameters.js';
import { viewBlock, viewBlockHeader, viewBlocks } from '../views/block.js';

/** `GET /api/v1/blockchain/status`, which both kinds of nodes have. */
export function addStatusRoute(app: FastifyInstance, { store }: ChainReader): void {
  app.get('/api/v1/blockchain/status', () => {
    const block = latestBlock(store);
    // There are no forks: every block is final.
    return { height: block.height, confirmed_height: block.height, latest_block: viewBlockHeader(block) };
  });
}

const MAX_BLOCKS = 100n;
export const MAX_WAIT_MS = 10_000n;

interface HeightPath {
  Params: { height: string };
}
interface BlocksQuery {
  Querystring: { from?: unknown; limit?: unknown; wait_ms?: unknown };
}

/**
 * Adds the block routes that both kinds of nodes have: the newest block, one block by its height, and a list
 * of blocks that can wait for a future block.
 */
export function addBlockRoutes(app: FastifyInstance, chain: ChainReader, find: RequireFound): void {
  const { store, watch } = chain;
  app.addHook('preClose', async () => watch.close());
  app.get('/api/v1/blocks/latest', () => viewBlock(store, latestBlock(store)));
  app.get<HeightPath>('/api/v1/blocks/:height', ({ params }) => {
    const height = parseIntegerParameter('height', params.height, 0n);
    return viewBlock(store, find(findBlock(store, height), 'Block'));
  });
  app.get<BlocksQuery>('/api/v1/blocks', async ({ query }, reply) => {
    const from = parseIntegerParameter('from', query.from, 0n);
    const limit = parseAtMost('limit', query.limit, MAX_BLOCKS, MAX_BLOCKS);
    const waitMs = parseAtMost('wait_ms', query.wait_ms, 0n, MAX_WAIT_MS);
    await untilBlock(chain, from, waitMs, reply.raw);
    return { blocks: viewBlocks(store, from, limit) };
  });
}

/** Parses an integer; a value above the maximum is reduced to the maximum. */
function parseAtMost(name: string, text: unknown, missing: bigint, maximum: bigint): number {
  const value = text === undefined ? missing : parseIntegerParameter(name, text, 0n);
  return Number(value < maximum ? value : maximum);
}

/** Resolves when the block exists, at the timeout, when the client disconnects or when the node stops. */
async function untilBlock(
  { store, watch }: ChainReader,
  height: bigint,
  waitMs: number,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const deadline = performance.now() + waitMs;
  for (;;) {
    const leftMs = deadline - performance.now();
    if (leftMs <= 0 || gone.signal.aborted || watch.closed || findBlock(store, height) !== undefined) return;
    await watch.next(leftMs, gone.signal);
  }
}
