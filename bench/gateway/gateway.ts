// Measures reads through the gateway and through nginx in turns. The proxy has one processor to itself. wrk
// and the upstream share another processor.
import { existsSync, mkdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { startFullNode } from '../../testkit/network/network-processes.js';
import { endProcess, startScript } from '../../testkit/process/child.js';
import { openDirectory } from '../../testkit/process/temporary-directory.js';
import { root } from '../../testkit/repository/repository.js';
import { startGateway, UNREACHED } from './gateway-process.js';
import { answering, proxying, startNginx } from './nginx.js';
import type { Server } from './processors.js';
import { ON_MEASURED, ON_OTHERS, processorMs } from './processors.js';
import { type LoadFigures, load } from './wrk.js';

const PATH = '/api/v1/node/info';
const ROUNDS = 5;
const MANY = { connections: 32, seconds: 3 };
const ONE = { connections: 1, seconds: 1 };

/** The figures of one proxy in one round; added time is relative to a request to the upstream itself. */
export interface ProxyFigures {
  requestsPerSecond: number;
  processorUs: number;
  addedP50Ms: number;
  addedP99Ms: number;
  /** Added median latency with one connection. */
  aloneAddedP50Ms: number;
  aloneAddedP99Ms: number;
}

/** The rounds of each proxy. */
export interface Comparison {
  /** The default gateway: counts each request for its client and logs it. */
  gateway: ProxyFigures[];
  /** A gateway without limits and request log. */
  plainGateway: ProxyFigures[];
  /** nginx with a request log. */
  nginx: ProxyFigures[];
  /** Fastify and undici without any other code. */
  bareFastify: ProxyFigures[];
}

export interface GatewayFigures {
  /** The upstream is another nginx, which answers at once. */
  beforeNginx: Comparison;
  beforeNode: Comparison;
}

export async function measureGateway(): Promise<GatewayFigures> {
  const directory = openDirectory('zbc-bench.');
  const node = await startFullNode(
    { dataDir: join(directory, 'node'), blockTimeSeconds: 2 },
    { before: ON_OTHERS },
  );
  const body = await (await fetch(node.url + PATH)).text();
  const beforeNode = await compareBefore(node, PATH, join(directory, 'before-node'));
  const upstream = await startNginx({
    directory: join(directory, 'upstream'),
    before: ON_OTHERS,
    http: answering(PATH, body),
  });
  return { beforeNginx: await compareBefore(upstream, PATH, join(directory, 'before-nginx')), beforeNode };
}

/** Compares the proxies in front of one upstream server, then ends this server. */
async function compareBefore(upstream: Server, path: string, directory: string): Promise<Comparison> {
  mkdirSync(directory);
  const running = [upstream];
  const start = async (begin: (directory: string) => Promise<Server>, name: string): Promise<Proxy> => {
    const process = await begin(join(directory, name));
    running.push(process);
    return { pid: process.child.pid!, url: process.url + path, log: join(directory, name, 'access.log') };
  };
  const static_nodes = [{ url: `http://127.0.0.1:${upstream.port}` }];
  const plain = { static_nodes, rate_limit: { requests: 0, writes: 0 } };
  try {
    return await takeTurns(upstream.url + path, {
      gateway: await start(own => startGateway(own, { static_nodes, rate_limit: UNREACHED }), 'gateway'),
      plainGateway: await start(own => startGateway(own, plain, ['--log-level', 'warn']), 'plain-gateway'),
      nginx: await start(
        own => startNginx({ directory: own, before: ON_MEASURED, http: proxying(upstream.url) }),
        'nginx',
      ),
      bareFastify: await start(() => startBareProxy(upstream.url), 'bare-fastify'),
    });
  } finally {
    for (const process of running.reverse()) await endProcess(process, 'SIGTERM');
  }
}

async function startBareProxy(upstream: string): Promise<Server> {
  const script = join(root, 'dist/bench/gateway/bare-proxy.js');
  const { child, line: url } = await startScript(script, [upstream], { before: ON_MEASURED });
  return { child, url, port: Number(new URL(url).port) };
}

interface Proxy {
  pid: number;
  url: string;
  /** A file that grows with each request. It may not exist. */
  log: string;
}

async function takeTurns(direct: string, proxies: Record<keyof Comparison, Proxy>): Promise<Comparison> {
  const rounds: Comparison = { gateway: [], plainGateway: [], nginx: [], bareFastify: [] };
  for (const { url } of Object.values(proxies)) await load(url, MANY);
  for (let round = 0; round < ROUNDS; round++) {
    const many = await load(direct, MANY);
    const one = await load(direct, ONE);
    for (const name of ['gateway', 'nginx', 'plainGateway', 'bareFastify'] as const) {
      rounds[name].push(await measureProxy(proxies[name], many, one));
    }
  }
  return rounds;
}

async function measureProxy(
  { pid, url, log }: Proxy,
  directMany: LoadFigures,
  directOne: LoadFigures,
): Promise<ProxyFigures> {
  const beforeMs = processorMs(pid);
  const many = await load(url, MANY);
  const processorUs = ((processorMs(pid) - beforeMs) / many.requests) * 1000;
  const one = await load(url, ONE);
  if (many.refused + one.refused > 0) throw new Error(`${url} refused requests`);
  if (existsSync(log)) truncateSync(log);
  return {
    requestsPerSecond: many.requestsPerSecond,
    processorUs,
    addedP50Ms: many.p50Ms - directMany.p50Ms,
    addedP99Ms: many.p99Ms - directMany.p99Ms,
    aloneAddedP50Ms: one.p50Ms - directOne.p50Ms,
    aloneAddedP99Ms: one.p99Ms - directOne.p99Ms,
  };
}
