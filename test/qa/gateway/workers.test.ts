import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GENESIS, json, RecordingNode } from '../../../testkit/gateway/recording-node.js';
import { freePort } from '../../../testkit/network/free-port.js';
import { httpRequest } from '../../../testkit/network/http.js';
import { startUsualGateway } from '../../../testkit/network/network-processes.js';
import { RedisServer } from '../../../testkit/network/redis-server.js';
import { endProcess } from '../../../testkit/process/child.js';
import { type CliProcess, startCli, untilSaid } from '../../../testkit/process/cli.js';
import { FullPipe } from '../../../testkit/process/full-pipe.js';
import { until } from '../../../testkit/time/until.js';

const KEY = 'the-key-of-this-test-0123456789-abcdef';
let directory: string;
let redis: RedisServer;
let node: RecordingNode;
const running: CliProcess[] = [];
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'zbc-test.'));
  [redis, node] = await Promise.all([RedisServer.start(), RecordingNode.start('full')]);
});
afterEach(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await Promise.all(running.splice(0).map(({ done }) => done));
  await Promise.all([redis.stop(), node.stop()]);
  rmSync(directory, { recursive: true });
});

interface Started {
  cli: CliProcess;
  url: string;
  metricsUrl: string;
}

/** Writes the configuration of the gateway `name`; returns its file. */
function configure(name: string, fields: Record<string, unknown>): string {
  const file = join(directory, `${name}.json`);
  const json = {
    gateway_host: 'gateway.test',
    admin_api_key: KEY,
    listen_port: 0,
    redis_url: redis.url,
    static_nodes: [{ ip: node.ip, port: node.port, role: node.role }],
    metrics: { port: 0 },
    ...fields,
  };
  writeFileSync(file, JSON.stringify(json), { mode: 0o600 });
  return file;
}

/** A gateway's processes, by the command. */
async function start(name: string, fields: Record<string, unknown>): Promise<Started> {
  const file = configure(name, fields);
  const cli = startCli(['gateway', '--config', file, '--json', '--log-level', 'warn']);
  running.push(cli);
  await untilSaid(cli, 'stdout', '\n');
  const { url, metrics_url } = JSON.parse(cli.output.stdout);
  return { cli, url, metricsUrl: metrics_url };
}

/** The child processes, as Linux reports them. */
function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(child => parentOf(child) === pid);
}

function parentOf(pid: number): number | undefined {
  try {
    return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return undefined;
  }
}

const get = (url: string) => httpRequest('GET', `${url}/api/v1/node/info`);

const NO_LIMIT = { rate_limit: { requests: 0, writes: 0 } };

test.each(['stdout', 'stderr'] as const)('workers end at SIGTERM when nobody reads their %s', async name => {
  const pipe = new FullPipe(join(directory, 'pipe'));
  const port = await freePort();
  const file = configure('one', { workers: 2, listen_port: port });
  const cli = startCli(['gateway', '--config', file], pipe.inPlaceOf(name));
  running.push(cli);
  const isLive = () => httpRequest('GET', `http://127.0.0.1:${port}/gateway/health/live`);
  await until(() =>
    isLive()
      .then(({ status }) => status === 200)
      .catch(() => false),
  );
  const primary = cli.child.pid!;
  const workers = childrenOf(primary);
  expect(workers).toHaveLength(2);
  cli.child.kill('SIGTERM');
  expect((await cli.done).code).toBe(0);
  expect(workers.filter(worker => parentOf(worker) !== undefined)).toEqual([]);
  pipe.close();
});

test('workers answer and end at SIGTERM when their stderr is a socket that nobody reads', async () => {
  const static_nodes = [{ ip: node.ip, port: node.port }];
  const fields = { ...NO_LIMIT, workers: 2, redis_url: redis.url, static_nodes };
  // Node's pipes to a child are sockets.
  const { child, url } = await startUsualGateway(directory, fields, [], { stderr: 'pipe' });
  try {
    const path = `/api/v1/${'x'.repeat(2000)}`;
    const logMuch = () => Promise.all(Array.from({ length: 200 }, () => httpRequest('GET', url + path)));
    await logMuch();
    await logMuch();
    const [first] = childrenOf(child.pid!);
    process.kill(first!, 'SIGKILL');
    await until(() => childrenOf(child.pid!).filter(pid => pid !== first).length === 2);
    await logMuch();
    const workers = childrenOf(child.pid!);
    await endProcess({ child }, 'SIGTERM');
    expect(child.exitCode).toBe(0);
    expect(workers.filter(worker => parentOf(worker) !== undefined)).toEqual([]);
  } finally {
    await endProcess({ child });
  }
});

test.each([
  ['is started later', true],
  ['keeps nothing from ending', false],
])('a worker that the system cannot start %s', async (_what, isLater) => {
  const { cli, url } = await start('one', { ...NO_LIMIT, workers: 2 });
  const primary = cli.child.pid!;
  const [first] = childrenOf(primary);
  const limitFiles = (soft: number) => execFileSync('prlimit', ['--pid', `${primary}`, `--nofile=${soft}:`]);
  limitFiles(readdirSync(`/proc/${primary}/fd`).length);
  process.kill(first!, 'SIGKILL');
  await untilSaid(cli, 'stderr', 'no worker could be started');
  expect((await get(url)).status).toBe(200);
  if (isLater) {
    limitFiles(1024);
    await until(() => childrenOf(primary).filter(pid => pid !== first).length === 2);
  }
  cli.child.kill('SIGTERM');
  expect((await cli.done).code).toBe(0);
});

test('two gateways, one of two workers, hold a client to one limit', async () => {
  const limit = { rate_limit: { requests: 12, writes: 0 } };
  const gateways = await Promise.all([start('one', { ...limit, workers: 2 }), start('two', limit)]);
  const statuses: number[] = [];
  for (let index = 0; index < 20; index += 1) {
    const { status } = await get(gateways[index % 2]!.url);
    statuses.push(status);
  }
  // Each process may admit one that another has not reported yet.
  expect(node.received.length).toBeGreaterThanOrEqual(12);
  expect(node.received.length).toBeLessThanOrEqual(12 + 3);
  expect(statuses.filter(status => status === 429)).toHaveLength(20 - node.received.length);
});

test('a node that is removed at one gateway is no longer asked by any worker of the other', async () => {
  const [one, two] = await Promise.all([start('one', NO_LIMIT), start('two', { ...NO_LIMIT, workers: 2 })]);
  expect((await get(two.url)).status).toBe(200);
  const answer = await httpRequest('POST', `${one.url}/gateway/allowlist/remove`, {
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ip: node.ip, port: node.port }),
  });
  expect(answer.status).toBe(200);
  // Workers take turns, and hear of it one after the other.
  let refused = 0;
  await until(async () => {
    refused = (await get(two.url)).status === 503 ? refused + 1 : 0;
    return refused === 6;
  });
  const asked = node.received.length;
  for (let count = 0; count < 6; count += 1) await get(two.url);
  expect(node.received).toHaveLength(asked);
});

describe('the workers of a gateway', () => {
  test('are counted together, replaced when they die, and end with it', async () => {
    const { cli, url, metricsUrl } = await start('one', { ...NO_LIMIT, workers: 2 });
    const [first, second] = childrenOf(cli.child.pid!);
    for (let count = 0; count < 10; count += 1) await get(url);
    const counted = 'zbc_gateway_requests_total{method="GET",route="/api/v1/*",status="200"} 10';
    let metrics = '';
    // An answer is counted when it has gone out.
    await until(async () => {
      metrics = (await httpRequest('GET', metricsUrl)).body.toString();
      return metrics.includes(counted);
    });
    expect(metrics).toContain('zbc_gateway_nodes_routed{role="full"} 1');
    process.kill(first!, 'SIGKILL');
    await untilSaid(cli, 'stderr', `worker ${first} exited (SIGKILL); restarting in `);
    // At once where it had lived for a minute.
    expect(cli.output.stderr).toMatch(/\(SIGKILL\); restarting in (100|200) ms/);
    await until(() => childrenOf(cli.child.pid!).filter(child => child !== second).length === 1);
    for (let count = 0; count < 6; count += 1) expect((await get(url)).status).toBe(200);
    const workers = childrenOf(cli.child.pid!);
    cli.child.kill('SIGTERM');
    expect((await cli.done).code).toBe(0);
    expect(workers.map(parentOf)).toEqual([undefined, undefined]);
  });

  test('answer no 503 while a dead one is replaced, before its successor knows the nodes', async () => {
    const { cli, url } = await start('one', { ...NO_LIMIT, workers: 2 });
    const [first] = childrenOf(cli.child.pid!);
    const { checks } = node;
    node.answerCheck = (...asked) => {
      setTimeout(() => json(200, { genesis_hash: GENESIS, height: 7 })(...asked), 400);
    };
    process.kill(first!, 'SIGKILL');
    const statuses = new Set<number>();
    const isReplaced = () =>
      node.checks > checks + 1 && childrenOf(cli.child.pid!).filter(pid => pid !== first).length === 2;
    for (let after = 0; after < 30; after += Number(isReplaced())) {
      // A request of a connection that the killed one had accepted.
      const reply = await get(url).catch(() => undefined);
      if (reply !== undefined) statuses.add(reply.status);
    }
    await new Promise(resolve => setTimeout(resolve, 800));
    for (let count = 0; count < 20; count += 1) statuses.add((await get(url)).status);
    expect([...statuses]).toEqual([200]);
  });

  test('leave no client waiting when one of them stands still, and is killed', async () => {
    const { cli, url } = await start('one', { ...NO_LIMIT, workers: 2 });
    const [first] = childrenOf(cli.child.pid!);
    process.kill(first!, 'SIGSTOP');
    await until(() => readFileSync(`/proc/${first}/status`, 'utf8').includes('State:\tT'));
    const answers = Array.from({ length: 6 }, () => get(url));
    await until(() => node.received.length >= 5);
    process.kill(first!, 'SIGKILL');
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(6).fill(200));
  });

  test('report what all of them have counted to the administrator', async () => {
    const { url } = await start('one', { ...NO_LIMIT, workers: 3 });
    for (let count = 0; count < 9; count += 1) await get(url);
    let asked = 0;
    const counted = async () => {
      const headers = { authorization: `Bearer ${KEY}` };
      const { body } = await httpRequest('GET', `${url}/admin/state`, { headers });
      const { traffic, nodes } = JSON.parse(body.toString());
      asked += 1;
      return [traffic.requests - (asked - 1), nodes[0].requests];
    };
    // An answer is counted when it has gone out; each question comes to any of the workers.
    await until(async () => (await counted()).join() === '9,9');
    for (let worker = 0; worker < 3; worker += 1) await until(async () => (await counted()).join() === '9,9');
  });

  test('end when the first process is killed', async () => {
    const { cli } = await start('one', { ...NO_LIMIT, workers: 2 });
    const workers = childrenOf(cli.child.pid!);
    expect(workers).toHaveLength(2);
    cli.child.kill('SIGKILL');
    await until(() => workers.every(worker => parentOf(worker) === undefined));
  });

  test('let a request end that has begun', async () => {
    let answerLate: () => void = () => undefined;
    node.answer = (_request, response) => {
      answerLate = () => response.end('{}');
    };
    const { cli, url } = await start('one', { ...NO_LIMIT, workers: 2 });
    const asked = get(url);
    await until(() => node.received.length === 1);
    cli.child.kill('SIGINT');
    await new Promise(resolve => setTimeout(resolve, 200));
    answerLate();
    expect((await asked).status).toBe(200);
    expect((await cli.done).code).toBe(0);
  });
});

describe('a reload of several workers', () => {
  const WORKERS = { ...NO_LIMIT, workers: 3 };
  let other: RecordingNode;
  beforeEach(async () => {
    other = await RecordingNode.start('full');
    for (const [each, name] of [
      [node, 'first'],
      [other, 'second'],
    ] as const) {
      each.answer = (_request, response) => response.end(JSON.stringify({ from: name }));
    }
  });
  afterEach(() => other.stop());

  const toOther = () => ({
    ...WORKERS,
    public_url: 'https://gateway.test',
    hsts_seconds: 60,
    static_nodes: [{ ip: other.ip, port: other.port, role: other.role }],
  });
  const ask = async (url: string) => {
    const { status, body, headers } = await httpRequest('GET', `${url}/api/v1/accounts/x`);
    return `${status} ${JSON.parse(body.toString()).from} ${headers['strict-transport-security'] ?? '-'}`;
  };
  /** What so many requests in a row are answered with, over new connections to any worker. */
  const answersOf = async (url: string, count = 15) =>
    new Set(await Promise.all(Array.from({ length: count }, () => ask(url))));
  const post = (url: string) =>
    httpRequest('POST', `${url}/admin/reload`, {
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: '{}',
    });
  const OLD = '200 first -';
  const NEW = '200 second max-age=60';

  test.each(['SIGHUP', 'POST /admin/reload'])('by %s reaches all of them, without a gap', async how => {
    const { cli, url } = await start('one', WORKERS);
    const seen = new Set<string>();
    let isDone = false;
    const asking = Array.from({ length: 4 }, async () => {
      while (!isDone) seen.add(await ask(url));
    });
    await until(() => node.received.length > 20);
    const workers = childrenOf(cli.child.pid!);
    configure('one', toOther());
    if (how === 'SIGHUP') cli.child.kill('SIGHUP');
    else expect((await post(url)).status).toBe(200);
    await until(async () => (await answersOf(url)).has(OLD) === false);
    isDone = true;
    await Promise.all(asking);
    expect(seen).toEqual(new Set([OLD, NEW]));
    expect(await answersOf(url, 30)).toEqual(new Set([NEW]));
    expect(childrenOf(cli.child.pid!)).toEqual(workers);
    expect((await post(url)).status).toBe(200);
  });

  test('reaches the successor of a dead worker that is starting', async () => {
    const { cli, url } = await start('one', WORKERS);
    const old = childrenOf(cli.child.pid!);
    configure('one', toOther());
    process.kill(old[0]!, 'SIGKILL');
    await until(() => childrenOf(cli.child.pid!).some(pid => !old.includes(pid)));
    expect((await post(url)).status).toBe(200);
    // The two that reloaded, and the successor, which listens by then.
    await until(() => other.checks >= 3);
    for (const pid of old.slice(1)) process.kill(pid, 'SIGKILL');
    await until(async () => (await answersOf(url).catch(() => undefined)) !== undefined);
    expect(await answersOf(url, 30)).toEqual(new Set([NEW]));
  });

  test('is served on the same port by the successors of workers that all died', async () => {
    const { cli, url } = await start('one', WORKERS);
    for (const pid of childrenOf(cli.child.pid!)) process.kill(pid, 'SIGKILL');
    await until(async () => (await answersOf(url).catch(() => new Set())).has(OLD));
  });

  test('leaves all of them as they were when one cannot take it, also its successor', async () => {
    const { cli, url } = await start('one', WORKERS);
    const [first] = childrenOf(cli.child.pid!);
    configure('one', { ...toOther(), static_nodes: [{ ip: 'nowhere', port: 1, role: 'full' }] });
    expect((await post(url)).status).toBe(409);
    configure('one', { ...toOther(), static_nodes: [{ ip: '127.0.0.1', port: 9, role: 'full' }] });
    const refused = await post(url);
    expect([refused.status, JSON.parse(refused.body.toString()).error]).toEqual([
      409,
      expect.stringContaining('it leaves no node to route to: node 127.0.0.1:9 (full) is down'),
    ]);
    expect(await answersOf(url)).toEqual(new Set([OLD]));
    configure('one', toOther());
    process.kill(first!, 'SIGSTOP');
    await until(() => readFileSync(`/proc/${first}/status`, 'utf8').includes('State:\tT'));
    const reply = post(url);
    // The others have made it ready.
    await until(() => other.checks >= 2);
    process.kill(first!, 'SIGKILL');
    const { status, body } = await reply;
    expect([status, JSON.parse(body.toString()).error]).toEqual([
      409,
      'Not reloaded, the old configuration stays: a worker did not answer',
    ]);
    await until(() => childrenOf(cli.child.pid!).filter(pid => pid !== first).length === 3);
    expect(await answersOf(url, 30)).toEqual(new Set([OLD]));
  });
});
