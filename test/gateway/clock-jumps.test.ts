import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gatewayConfig } from '../../testkit/gateway/gateway-config.js';
import { GatewayFixture } from '../../testkit/gateway/gateway-fixture.js';
import { json, RecordingNode } from '../../testkit/gateway/recording-node.js';
import { until } from '../../testkit/time/until.js';

const HOUR_MS = 3_600_000;
const KEY = { authorization: `Bearer ${gatewayConfig().adminApiKey}` };

const { now } = Date;
afterEach(() => {
  Date.now = now;
});

test.each([
  ['forwards', HOUR_MS],
  ['back', -HOUR_MS],
])('a clock that jumps an hour %s changes no answer, no limit and no allowlist', async (_way, jumpMs) => {
  const directory = mkdtempSync(join(tmpdir(), 'zbc-test.'));
  const stateFile = join(directory, 'allowlist.json');
  const node = await RecordingNode.start('full', json(200, {}));
  const rateLimit = { requests: 9, writes: 0 };
  const fixture = await GatewayFixture.open([node], { stateFile, rateLimit, healthIntervalMs: 50 });
  const jump = () => {
    const before = Date.now;
    Date.now = () => before() + jumpMs;
  };
  const remove = async (port: number) =>
    (await fixture.post('/gateway/allowlist/remove', JSON.stringify({ ip: '192.0.2.1', port }), KEY)).status;
  try {
    expect((await fixture.get('/api/v1/x')).status).toBe(200);
    expect(await remove(1)).toBe(200);
    let answer = () => {};
    node.answer = (_request, response) => {
      answer = () => void response.end('{}');
    };
    const running = fixture.get('/api/v1/late');
    await until(() => node.received.length === 2);
    jump();
    const later = await fixture.get('/gateway/status');
    const { uptime_seconds: uptime } = JSON.parse(later.body.toString());
    expect(uptime >= 0 && uptime < 60).toBe(true);
    const { checks } = node;
    await until(() => node.checks > checks + 2);
    answer();
    expect((await running).status).toBe(200);
    expect(await remove(2)).toBe(200);
    const { removed } = JSON.parse(readFileSync(stateFile, 'utf8'));
    expect(removed.map(({ port }: { port: number }) => port)).toEqual([1, 2]);
    node.answer = json(200, {});
    for (let count = 4; count < 8; count += 1) expect((await fixture.get('/api/v1/x')).status).toBe(200);
    jump();
    const { status, headers } = await fixture.get('/api/v1/x');
    expect(status).toBe(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(30);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
  } finally {
    await fixture.close();
    rmSync(directory, { recursive: true });
  }
});
