// Measures the effect of a crowd on the latency of another client and on memory: `make stress ONLY=crowd`. The
// gateway has one processor to itself. wrk, the crowd and the upstream share another processor, so each
// figure is also measured for the upstream itself with the same crowd.
import { once } from 'node:events';
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { endProcess, spawnScript } from '../../testkit/process/child.js';
import { openDirectory } from '../../testkit/process/temporary-directory.js';
import { root } from '../../testkit/repository/repository.js';
import { median } from '../../testkit/time/median.js';
import type { CrowdKind, CrowdReport } from './crowd-clients.js';
import { startGateway } from './gateway-process.js';
import { startNginx } from './nginx.js';
import type { Server } from './processors.js';
import { ON_OTHERS } from './processors.js';
import { load } from './wrk.js';

const ROUNDS = 5;
const LOAD = { connections: 4, seconds: 3 };
/** Limit of the p99 with a crowd, divided by the p99 without it. */
const MOST = 2;
const PATH = '/api/v1/x';
const LARGE_BYTES = { large: 150_000, huge: 8_000_000 };
const MEMORY_MS = 100;
const SETTLING_MS = 1000;
const LEAVING_MS = 30_000;
const INFO = JSON.stringify({ genesis_hash: 'a1'.repeat(32), height: 7 });
const NO_LIMIT = { rate_limit: { requests: 0, writes: 0 } };

const CROWDS: readonly [kind: CrowdKind, count: number][] = [
  ['idle connections', 10_000],
  ['slow readers of 150 kB', 1000],
  ['slow readers of 8 MB', 1000],
  ['slow writers', 1000],
];

/** Latencies in milliseconds, without and with the crowd. */
interface Pair {
  alone: number;
  beside: number;
}

interface Round {
  p50: Pair;
  p99: Pair;
  slowest: Pair;
  /** Latencies of the upstream itself. */
  directP99: Pair;
  refused: number;
  memoryMb: number;
  crowd: CrowdReport;
}

const directory = openDirectory('zbc-crowd.');
for (const [name, bytes] of Object.entries(LARGE_BYTES)) {
  writeFileSync(join(directory, name), 'x'.repeat(bytes));
}
const upstream = await startNginx({
  directory: join(directory, 'upstream'),
  before: ON_OTHERS,
  http: listen => `access_log off;
  default_type "application/json";
  server {
    listen ${listen};
    location = /api/v1/node/info { return 200 '${INFO}'; }
    location = ${PATH} { return 200 '{"height":1}'; }
    location = /api/v1/large { alias ${join(directory, 'large')}; }
    location = /api/v1/huge { alias ${join(directory, 'huge')}; }
  }`,
});
const fields = { ...NO_LIMIT, static_nodes: [{ url: `http://127.0.0.1:${upstream.port}` }] };
const served = await startGateway(join(directory, 'gateway'), fields);

/** Memory of a process in megabytes. */
function memoryOf({ child }: Server): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1000;
}

const descriptorsOf = ({ child }: Server) => readdirSync(`/proc/${child.pid}/fd`).length;

async function gather(kind: CrowdKind, count: number, { url }: Server) {
  const script = join(root, 'dist/bench/gateway/crowd-clients.js');
  const child = spawnScript(script, [kind, String(count), url], { before: ON_OTHERS, channel: true });
  let last: CrowdReport = { connected: 0, closed: 0 };
  child.on('message', (message: CrowdReport) => {
    last = message;
  });
  await once(child, 'message');
  // After this pause, the requests of the crowd are running.
  await pause(SETTLING_MS);
  return { child, report: () => last };
}

async function measureRound(kind: CrowdKind, count: number, gateway: Server): Promise<Round> {
  const before = descriptorsOf(gateway);
  const alone = await load(gateway.url + PATH, LOAD);
  const directAlone = await load(upstream.url + PATH, LOAD);
  let memoryMb = 0;
  const sampling = setInterval(() => {
    memoryMb = Math.max(memoryMb, memoryOf(gateway));
  }, MEMORY_MS);
  const crowd = await gather(kind, count, gateway);
  const beside = await load(gateway.url + PATH, LOAD);
  const directBeside = await load(upstream.url + PATH, LOAD);
  clearInterval(sampling);
  const report = crowd.report();
  await endProcess(crowd);
  await untilLeft(gateway, before + LOAD.connections);
  return {
    p50: { alone: alone.p50Ms, beside: beside.p50Ms },
    p99: { alone: alone.p99Ms, beside: beside.p99Ms },
    slowest: { alone: alone.slowestMs, beside: beside.slowestMs },
    directP99: { alone: directAlone.p99Ms, beside: directBeside.p99Ms },
    refused: alone.refused + beside.refused,
    memoryMb,
    crowd: report,
  };
}

/** Throws if connections of the crowd stay open. */
async function untilLeft(gateway: Server, most: number): Promise<void> {
  for (let waitedMs = 0; descriptorsOf(gateway) > most; waitedMs += MEMORY_MS) {
    if (waitedMs >= LEAVING_MS)
      throw new Error(`the gateway has ${descriptorsOf(gateway)} open descriptors, expected at most ${most}`);
    await pause(MEMORY_MS);
  }
}

const ratios = (rounds: readonly Round[], figure: keyof Round) =>
  rounds.map(round => {
    const { alone, beside } = round[figure] as Pair;
    return beside / alone;
  });

function print(kind: CrowdKind, count: number, rounds: readonly Round[]): void {
  const p99 = ratios(rounds, 'p99');
  const of = (figure: 'p50' | 'p99' | 'slowest' | 'directP99') => {
    const ms = (when: keyof Pair) => `${median(rounds.map(each => each[figure][when])).toFixed(2)} ms`;
    return `${ms('alone')} without, ${ms('beside')} with: ${median(ratios(rounds, figure)).toFixed(2)} ×`;
  };
  const range = `${Math.min(...p99).toFixed(2)} to ${Math.max(...p99).toFixed(2)} × in ${rounds.length} rounds`;
  const verdict = `limit ${MOST} ×: ${median(p99) <= MOST ? 'met' : 'missed'}`;
  console.log(`Without and with ${count} ${kind}`);
  console.log(`  p99       ${of('p99')} (${range}; ${verdict})`);
  console.log(`  p50       ${of('p50')}`);
  console.log(`  slowest   ${of('slowest')}`);
  console.log(`  upstream  p99 ${of('directP99')}`);
  const fewest = Math.min(...rounds.map(({ crowd }) => crowd.connected));
  const closed = Math.max(...rounds.map(({ crowd }) => crowd.closed));
  const memory = Math.max(...rounds.map(({ memoryMb }) => memoryMb)).toFixed(0);
  const refused = rounds.reduce((sum, round) => sum + round.refused, 0);
  console.log(
    `  memory    at most ${memory} MB; at the end of a round, at least ${fewest} clients were connected, and at most ${closed} connections had been closed; ${refused} answers were refusals`,
  );
}

try {
  await load(served.url + PATH, LOAD);
  console.log(`Memory of the gateway without a crowd: ${memoryOf(served).toFixed(0)} MB`);
  for (const [kind, count] of CROWDS) {
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push(await measureRound(kind, count, served));
      truncateSync(join(directory, 'gateway', 'access.log'));
    }
    print(kind, count, rounds);
  }
} finally {
  for (const server of [served, upstream]) await endProcess(server, 'SIGTERM');
}
