// Two gateways that count in one Redis: whether a client gets more than one limit of both, and what counting
// there costs.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RedisServer } from '../testkit/network/redis-server.js';
import { endProcess } from '../testkit/process/child.js';
import { median } from '../testkit/time/median.js';
import { startGateway, UNREACHED } from './gateway-process.js';
import { processorMs } from './processor-time.js';
import { ON_OTHERS } from './processors.js';
import type { Server } from './server.js';
import { load } from './wrk.js';

/** Answered by the gateway itself, so that counting is most of the work. */
const PATH = '/gateway/status';
const LIMIT = 20_000;
const ROUNDS = 5;
const LOAD = { connections: 32, seconds: 3 };

export interface SharedLimit {
  limit: number;
  /** Of both gateways in one window. */
  asked: number;
  answered: number;
  /** Of one gateway that counts in its memory, and in Redis: medians of rounds that take turns. */
  memoryUs: number;
  redisUs: number;
  /** Of Redis itself. */
  serverUs: number;
}

export async function measureSharedLimit(): Promise<SharedLimit> {
  const directory = mkdtempSync(join(tmpdir(), 'zbc-bench.'));
  const redis = await RedisServer.start(ON_OTHERS);
  const running: Server[] = [];
  const start = async (name: string, fields: Record<string, unknown>): Promise<Server> => {
    const process = await startGateway(join(directory, name), fields, ['--log-level', 'warn']);
    running.push(process);
    return process;
  };
  try {
    const rate_limit = { requests: LIMIT };
    const shared = { gateway_host: 'limited.test', redis_url: redis.url, rate_limit };
    const limited = [await start('one', shared), await start('other', shared)];
    const inMemory = await start('memory', { rate_limit: UNREACHED });
    const inRedis = await start('redis', { redis_url: redis.url, rate_limit: UNREACHED });
    return { limit: LIMIT, ...(await exceed(limited)), ...(await takeTurns(inMemory, inRedis, redis.pid)) };
  } finally {
    for (const process of running) await endProcess(process, 'SIGTERM');
    await redis.stop();
    rmSync(directory, { recursive: true });
  }
}

/** Loads all at once, within one window. */
async function exceed(gateways: readonly Server[]): Promise<Pick<SharedLimit, 'asked' | 'answered'>> {
  const loads = await Promise.all(gateways.map(({ url }) => load(url + PATH, LOAD)));
  const sum = (name: 'requests' | 'refused') => loads.reduce((total, figures) => total + figures[name], 0);
  return { asked: sum('requests'), answered: sum('requests') - sum('refused') };
}

async function takeTurns(
  inMemory: Server,
  inRedis: Server,
  redisPid: number,
): Promise<Pick<SharedLimit, 'memoryUs' | 'redisUs' | 'serverUs'>> {
  for (const { url } of [inMemory, inRedis]) await load(url + PATH, LOAD);
  const [memory, redis, server]: number[][] = [[], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    memory!.push(...(await processorUs(inMemory.url, [inMemory.child.pid!])));
    const [gateway, counter] = await processorUs(inRedis.url, [inRedis.child.pid!, redisPid]);
    redis!.push(gateway!);
    server!.push(counter!);
  }
  return { memoryUs: median(memory!), redisUs: median(redis!), serverUs: median(server!) };
}

/** Of each process for each request. */
async function processorUs(url: string, pids: readonly number[]): Promise<number[]> {
  const beforeMs = pids.map(processorMs);
  const { requests } = await load(url + PATH, LOAD);
  return pids.map((pid, index) => ((processorMs(pid) - beforeMs[index]!) / requests) * 1000);
}
