import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { Redis } from 'ioredis';
import type { AllowlistStore } from '#gateway/allowlist/allowlist-store.js';
import { openAllowlistStore } from '#gateway/allowlist/open-store.js';
import { ask, KEY, limitedApp } from '../../../testkit/gateway/limited-app.js';
import { httpRequest } from '../../../testkit/network/http.js';
import { type RunningProcess, startGatewayProcess } from '../../../testkit/network/network-processes.js';
import { RedisServer } from '../../../testkit/network/redis-server.js';
import { endProcess } from '../../../testkit/process/child.js';
import { useLoopTime } from '../../../testkit/time/loop-time.js';
import { until } from '../../../testkit/time/until.js';

useLoopTime();

let redis: RedisServer;
let apps: FastifyInstance[] = [];
let stores: AllowlistStore[] = [];
beforeAll(async () => {
  redis = await RedisServer.start();
});
beforeEach(async () => {
  const client = new Redis(redis.url);
  await client.flushall();
  client.disconnect();
});
afterEach(async () => {
  await Promise.all([...apps.map(app => app.close()), ...stores.map(store => store.close())]);
  apps = [];
  stores = [];
});
afterAll(() => redis.stop());

/** Two replicas that have counted nothing yet, each with a separate connection. */
async function replicas(fields: Record<string, unknown>, errors: Error[] = []): Promise<FastifyInstance[]> {
  apps = [1, 2].map(() => limitedApp({ redis_url: redis.url, ...fields }, errors));
  await Promise.all(apps.map(app => app.ready()));
  return apps;
}

/** Waits until both replicas have found Redis again, by requests of clients of its own. */
async function untilShared(): Promise<void> {
  let clients = 0;
  await until(async () => {
    clients += 1;
    const left = [];
    for (const app of apps) {
      const { headers } = await ask(app, 'GET', '/open', { client: `192.0.2.${clients % 250}` });
      left.push(Number(headers['ratelimit-remaining']));
      await heard();
    }
    const { headers } = await ask(apps[1]!, 'GET', '/open', { client: `192.0.2.${clients % 250}` });
    return Number(headers['ratelimit-remaining']) === left[0]! - 2;
  });
}

const limits = (requests: number, writes: number) => ({
  rate_limit: { requests, writes },
});

/** Processes decide by what they know, and hear of each other when they report, which takes less than this. */
const heard = () => new Promise(resolve => setTimeout(resolve, 150));

/** What comes of requests to both in turn, once each has heard of the other. */
async function settled(count: number, send: (app: FastifyInstance) => Promise<{ status: number }>) {
  const answers = [];
  for (let index = 0; index < count; index += 1) {
    answers.push((await send(apps[index % 2]!)).status);
    await heard();
  }
  return answers;
}

/** A limit that each of two processes may exceed by one request. */
function expectLimited(answers: readonly number[], limit: number, refusal = 429, admitted = 200): void {
  const passed = answers.filter(status => status === admitted).length;
  expect(passed).toBeGreaterThanOrEqual(limit);
  expect(passed).toBeLessThanOrEqual(limit + 2);
  expect(new Set(answers.slice(limit + 2))).toEqual(new Set([refusal]));
}

async function statuses(count: number, send: (app: FastifyInstance) => Promise<{ status: number }>) {
  const answers = [];
  for (let index = 0; index < count; index += 1) answers.push((await send(apps[index % 2]!)).status);
  return answers;
}

describe('two gateways that share a Redis', () => {
  it('share what a client may ask', async () => {
    await replicas(limits(6, 2));
    expectLimited(await settled(6, app => ask(app, 'POST', '/open')), 2);
    const reader = '203.0.113.2';
    expectLimited(await settled(10, app => ask(app, 'GET', '/open', { client: reader })), 6);
    expect(await statuses(2, app => ask(app, 'GET', '/open', { client: '203.0.113.1' }))).toEqual([200, 200]);
  });

  it('share what a client has left', async () => {
    const [one, other] = await replicas(limits(6, 0));
    await ask(one!, 'GET', '/open');
    await ask(other!, 'GET', '/open');
    await heard();
    const { headers } = await ask(other!, 'GET', '/open');
    expect(headers['ratelimit-remaining']).toBe('3');
  });

  it('do not share it with a gateway of another name', async () => {
    await replicas(limits(1, 0));
    const stranger = limitedApp({ redis_url: redis.url, gateway_host: 'other.example', ...limits(1, 0) });
    apps.push(stranger);
    await ask(apps[0]!, 'GET', '/open');
    expect((await ask(stranger, 'GET', '/open')).status).toBe(200);
  });

  it('share the failures of a client that guesses the admin key', async () => {
    await replicas(limits(0, 0));
    const guess = (app: FastifyInstance) => ask(app, 'POST', '/admin', { 'x-api-key': 'a guess' });
    expectLimited(await settled(14, guess), 10, 429, 401);
    expect((await ask(apps[1]!, 'POST', '/admin', { 'x-api-key': KEY })).status).toBe(200);
  });
});

describe('two gateway processes that share a Redis', () => {
  const LIMIT = 100;
  const [LOOPS, EACH] = [32, 20];
  let directory: string;
  let gateways: RunningProcess[];
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'zbc-test.'));
    gateways = [];
    for (const name of ['one', 'other']) {
      mkdirSync(join(directory, name));
      const fields = {
        redis_url: redis.url,
        trusted_proxies: ['127.0.0.1'],
        rate_limit: { requests: LIMIT, writes: 0 },
      };
      gateways.push(await startGatewayProcess(join(directory, name), fields));
    }
  });
  afterEach(async () => {
    await Promise.all(gateways.map(gateway => endProcess(gateway)));
    rmSync(directory, { recursive: true });
  });

  /** Both at once, from one client; the statuses that came. */
  async function flood(client: string): Promise<number[]> {
    const statuses: number[] = [];
    const ask = async ({ url }: RunningProcess) => {
      for (let count = 0; count < EACH; count += 1) {
        const headers = { 'x-forwarded-for': client };
        statuses.push((await httpRequest('GET', `${url}/gateway/status`, { headers })).status);
      }
    };
    await Promise.all(gateways.flatMap(gateway => Array.from({ length: LOOPS }, () => ask(gateway))));
    return statuses;
  }

  it('together answer a client as often as the limit says when it floods both at once, or a little more', async () => {
    for (const client of ['198.51.100.1', '198.51.100.2']) {
      const statuses = await flood(client);
      expect(statuses).toHaveLength(gateways.length * LOOPS * EACH);
      const answered = statuses.filter(status => status === 200).length;
      expect(answered).toBeGreaterThanOrEqual(LIMIT);
      // What comes while each waits for the word of Redis.
      expect(answered).toBeLessThanOrEqual(LIMIT + gateways.length * LOOPS);
      expect(statuses.filter(status => status !== 200 && status !== 429)).toEqual([]);
    }
  });
});

describe('when Redis goes away', () => {
  it('requests go on, each gateway counts for itself, and the failure is reported once', async () => {
    const errors: Error[] = [];
    await replicas(limits(4, 0), errors);
    await settled(2, app => ask(app, 'GET', '/open'));
    await redis.kill();
    try {
      const answers = await settled(8, app => ask(app, 'GET', '/open'));
      expect([answers[0], ...answers.slice(6)]).toEqual([200, 429, 429]);
    } finally {
      await redis.run();
    }
    expect(errors.map(error => error.message)).toEqual(
      Array(2).fill(expect.stringMatching(/^Redis is unavailable \(.+\); continuing without it$/)),
    );
    await untilShared();
    const client = '203.0.113.9';
    expectLimited(await settled(8, app => ask(app, 'GET', '/open', { client })), 4);
  });

  it('a Redis that hangs holds up no request', async () => {
    const errors: Error[] = [];
    await replicas(limits(100, 0), errors);
    await statuses(2, app => ask(app, 'GET', '/open'));
    redis.signal('SIGSTOP');
    try {
      const startMs = performance.now();
      expect(await statuses(20, app => ask(app, 'GET', '/open'))).toEqual(Array(20).fill(200));
      // A report is waited for 500 ms.
      expect(performance.now() - startMs).toBeLessThan(400);
      await until(() => errors.length === 2);
    } finally {
      redis.signal('SIGCONT');
    }
  });
});

describe('when the gateway is too busy to read', () => {
  it('an answer that Redis gave in time counts, however late it is read', async () => {
    const errors: Error[] = [];
    const [app] = await replicas(limits(6, 0), errors);
    await ask(app!, 'GET', '/open');
    await heard();
    redis.signal('SIGSTOP');
    await ask(app!, 'GET', '/open');
    await new Promise(resolve => setTimeout(resolve, 100));
    // After an immediate come the timers, and only then what has arrived.
    await new Promise(resolve => setImmediate(resolve));
    redis.signal('SIGCONT');
    const startMs = Date.now();
    while (Date.now() - startMs < 1000);
    expect((await ask(app!, 'GET', '/open')).headers['ratelimit-remaining']).toBe('3');
    expect(errors).toEqual([]);
  });
});

describe('the allowlist in Redis', () => {
  const node = { ip: '192.0.2.1', port: 8884 };
  const other = { ip: '192.0.2.2', port: 8884 };
  let said: string[];
  beforeEach(() => {
    said = [];
  });
  const open = async (gatewayHost = 'localhost') => {
    const note = ({ message }: Error) => void said.push(message);
    const store = await openAllowlistStore({ gatewayHost, redisUrl: redis.url }, note);
    stores.push(store);
    return store;
  };

  it('is the same for every replica, and every one hears of a change', async () => {
    const [one, other] = [await open(), await open()];
    const heard = new Promise<void>(resolve => other.onChange(resolve));
    await one.add({ ...node, role: 'archival' });
    await heard;
    expect(await other.read()).toEqual({ added: [{ ...node, role: 'archival' }], removed: [] });
    const heardBack = new Promise<void>(resolve => one.onChange(resolve));
    await other.remove(node);
    await heardBack;
    expect(await one.read()).toEqual({ added: [], removed: [node] });
  });

  it('keeps cordons beside it, which every replica hears of', async () => {
    const [one, other] = [await open(), await open()];
    const heard = new Promise<void>(resolve => other.onChange(resolve));
    await one.cordon(node, 'disagreement');
    await heard;
    const cordoned = [{ ...node, cause: 'disagreement' }];
    expect(await other.read()).toEqual({ added: [], removed: [], cordoned });
    await other.uncordon(node);
    expect(await one.read()).toEqual({ added: [], removed: [] });
    const client = new Redis(redis.url);
    await client.hset('zbc-gateway:localhost:cordons', '192.0.2.1:8884', 'nobody');
    client.disconnect();
    await expect(open()).rejects.toMatchObject({ code: 'ALLOWLIST_UNUSABLE' });
  });

  it('is not that of a gateway of another name', async () => {
    const [one, other] = [await open(), await open('other.example')];
    await one.remove(node);
    expect(await other.read()).toEqual({ added: [], removed: [] });
  });

  it('cannot be read or changed while Redis is away; a change in the meantime is heard of after', async () => {
    const store = await open();
    await redis.kill();
    await expect(store.read()).rejects.toMatchObject({ statusCode: 503 });
    await expect(store.remove(node)).rejects.toMatchObject({ statusCode: 503 });
    const heard = new Promise<void>(resolve => store.onChange(resolve));
    await redis.run();
    await heard;
    await (await open()).remove(node);
    expect(await store.read()).toEqual({ added: [], removed: [node] });
  });

  const LOST = 'Redis had lost changes of the allowlist; they are written again, as known here';

  it('is written again when Redis comes back without it, by one of those that know it', async () => {
    const stores = [await open(), await open()];
    await stores[0]!.remove(node);
    await stores[0]!.cordon(other, 'admin');
    await stores[0]!.add({ ip: '192.0.2.3', port: 8885, role: 'archival' });
    const list = await stores[0]!.read();
    expect(list.removed).toEqual([node]);
    expect(await stores[1]!.read()).toEqual(list);
    await redis.kill();
    await redis.run();
    const read = (store: AllowlistStore) => store.read().catch(() => undefined);
    await until(async () => (await Promise.all(stores.map(read))).every(found => found !== undefined));
    expect(await Promise.all(stores.map(store => store.read()))).toEqual([list, list]);
    // One that knows nothing reads it there.
    expect(await (await open()).read()).toEqual(list);
    expect(said.filter(line => line === LOST)).toHaveLength(1);
  });

  it('is written again before a change of it, and over what is older', async () => {
    const [one, late] = [await open(), await open()];
    await one.remove(node);
    await late.read();
    await one.remove(other);
    await one.read();
    const client = new Redis(redis.url);
    await client.flushall();
    // The gateway that knows less is the first.
    expect((await late.read()).removed).toEqual([node]);
    await one.cordon(node, 'admin');
    expect(await one.read()).toMatchObject({ removed: [node, other], cordoned: [node] });
    expect(await late.read()).toEqual(await one.read());
    // What an older gateway wrote counts as written.
    await client.del('zbc-gateway:localhost:revision');
    const fresh = await open();
    await client.flushall();
    client.disconnect();
    expect((await fresh.read()).removed).toEqual([node, other]);
  });

  it('that was never written, or lost its last cordon, is not written again', async () => {
    const store = await open();
    await store.cordon(node, 'admin');
    await store.uncordon(node);
    const [one, two] = [await store.read(), await (await open()).read()];
    expect([one, two]).toEqual(Array(2).fill({ added: [], removed: [] }));
    expect(said).toEqual([]);
  });

  it.each([
    ['192.0.2.01:8884', 'full'],
    ['192.0.2.1:08884', 'full'],
    ['192.0.2.1:8884:1', 'full'],
    ['192.0.2.1:0', 'full'],
    ['evil.example:8884', 'full'],
    ['192.0.2.1:8884', 'admin'],
    ['__proto__', 'full'],
  ])('is refused with %s as %s in it', async (key, change) => {
    const client = new Redis(redis.url);
    await client.hset('zbc-gateway:localhost:allowlist', key, change);
    client.disconnect();
    await expect(open()).rejects.toMatchObject({ code: 'ALLOWLIST_UNUSABLE' });
  });

  it('is refused with a revision that is no number', async () => {
    const client = new Redis(redis.url);
    await client.set('zbc-gateway:localhost:revision', '1e9');
    client.disconnect();
    await expect(open()).rejects.toMatchObject({ code: 'ALLOWLIST_UNUSABLE' });
  });

  it('is refused when something else is in its place', async () => {
    const client = new Redis(redis.url);
    await client.set('zbc-gateway:localhost:allowlist', 'text');
    client.disconnect();
    await expect(open()).rejects.toMatchObject({ code: 'ALLOWLIST_UNUSABLE' });
  });

  it('is refused when it has grown past what a gateway keeps', async () => {
    const client = new Redis(redis.url);
    const table = Object.fromEntries(
      Array.from({ length: 4097 }, (_, port) => [`192.0.2.1:${port + 1}`, 'full']),
    );
    await client.hset('zbc-gateway:localhost:allowlist', table);
    await expect(open()).rejects.toMatchObject({ code: 'ALLOWLIST_UNUSABLE' });
    await client.hdel('zbc-gateway:localhost:allowlist', '192.0.2.1:1');
    client.disconnect();
    const store = await open();
    await expect(store.remove({ ip: '192.0.2.9', port: 1 })).rejects.toMatchObject({ statusCode: 409 });
    await store.remove({ ip: '192.0.2.1', port: 2 });
  });
});
