import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import { NO_LIMITS } from '#gateway/config/config.js';
import { errorOf, GatewayFixture, startNodes } from '../../../testkit/gateway/gateway-fixture.js';
import {
  GENESIS,
  json,
  OTHER_GENESIS,
  RecordingNode,
  silence,
} from '../../../testkit/gateway/recording-node.js';
import { readText } from '../../../testkit/repository/repository.js';
import { until } from '../../../testkit/time/until.js';

let fixture: GatewayFixture;

afterEach(() => fixture.close());

const readJson = async (path: string) => JSON.parse((await fixture.get(path)).body.toString());

describe('GET /gateway/status', () => {
  test('reports the gateway and its nodes, without chain data', async () => {
    const nodes = await startNodes({ archival: [json(200, {})], full: [json(200, {})] });
    const silent = await RecordingNode.start('full');
    await silent.stop();
    nodes[1]!.genesisHash = OTHER_GENESIS;
    const staticNodes = [...nodes, silent].map(({ ip, port, role }) => ({ ip, port, role }));
    fixture = await GatewayFixture.open(nodes, { staticNodes, genesisHash: GENESIS });
    const text = (await fixture.get('/gateway/status')).body.toString();
    const { uptime_seconds: uptime, ...rest } = JSON.parse(text);
    expect(rest).toEqual({
      mode: 'private',
      domain: 'gateway.test',
      version: JSON.parse(readText('gateway/package.json')).version,
      allowlisted: 3,
      answering: 2,
      nodes: staticNodes.map((node, at) => ({
        ...node,
        answers: at < 2,
        routed: at < 1,
      })),
    });
    expect(uptime).toBeGreaterThanOrEqual(0);
    expect(text).not.toMatch(new RegExp(`${GENESIS}|height|genesis`, 'i'));
  });
});

describe('GET /gateway/system-stats', () => {
  test("reports the system's figures", async () => {
    fixture = await GatewayFixture.open([]);
    const stats = await readJson('/gateway/system-stats');
    expect(stats).toEqual({
      cpu: {
        count: cpus().length,
        load_average: [expect.any(Number), expect.any(Number), expect.any(Number)],
      },
      memory: { total_bytes: totalmem(), free_bytes: expect.any(Number), process_bytes: expect.any(Number) },
      disk: { total_bytes: expect.any(Number), free_bytes: expect.any(Number) },
      uptime: { system_seconds: expect.any(Number), process_seconds: expect.any(Number) },
    });
    const [size, free] = execFileSync('df', ['--output=size,avail', '-B1', '.'])
      .toString()
      .split('\n')[1]!
      .match(/\d+/g)!
      .map(Number);
    expect(stats.disk.total_bytes).toBe(size);
    expect(Math.abs(stats.disk.free_bytes - free!)).toBeLessThan(size! / 10);
    expect(stats.memory.free_bytes).toBeLessThan(totalmem());
  });
});

describe('GET /gateway/health', () => {
  test('reports live in any case, and ready while a node answers, without a request to a node', async () => {
    const nodes = await startNodes({ full: [json(200, {})] });
    fixture = await GatewayFixture.open(nodes);
    expect(await readJson('/gateway/health/live')).toEqual({ live: true });
    expect(await readJson('/gateway/health/ready')).toEqual({ ready: true });
    expect(nodes[0]!.received).toEqual([]);
    await nodes[0]!.stop();
    await fixture.gateway.context.nodes.refresh();
    expect(await readJson('/gateway/health/live')).toEqual({ live: true });
    const answer = await fixture.get('/gateway/health/ready');
    expect([answer.status, errorOf(answer).error]).toEqual([503, 'No node is available']);
    expect(answer.headers['retry-after']).toBe('60');
    await nodes[0]!.listen();
  });

  test('is neither counted nor limited, because a proxy on the address of a client would take the gateway out', async () => {
    const limits = { ...NO_LIMITS, requestsPerClient: 1 };
    fixture = await GatewayFixture.open(await startNodes({ full: [silence] }), {
      limits,
      rateLimit: { requests: 2, writes: 0 },
    });
    const running = fixture.get('/api/v1/x').catch(() => undefined);
    await until(() => fixture.nodes[0]!.received.length === 1);
    for (const path of ['ready', 'live', 'ready', 'live']) {
      const { status, headers } = await fixture.get(`/gateway/health/${path}`);
      expect([status, headers['ratelimit-limit']]).toEqual([200, undefined]);
    }
    const foreign = await fixture.get('/gateway/health/live', { host: 'other.test' });
    expect([foreign.status, foreign.headers['ratelimit-remaining']]).toEqual([403, '0']);
    await fixture.close();
    await running;
  });
});

describe('GET /relay/info', () => {
  test('reports the configured relay with all digits of its rate', async () => {
    const relay = { address: 'ZBR_TEST', rate: 9_007_199_254_740_995n, genesisHash: GENESIS };
    fixture = await GatewayFixture.open([], { relay });
    const { status, body } = await fixture.get('/relay/info');
    expect([status, body.toString()]).toEqual([
      200,
      `{"address":"ZBR_TEST","rate":9007199254740995,"genesis_hash":"${GENESIS}"}`,
    ]);
  });
});
