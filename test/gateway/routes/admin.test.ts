import { gatewayConfig } from '../../../testkit/gateway/gateway-config.js';
import { errorOf, GatewayFixture, startNodes } from '../../../testkit/gateway/gateway-fixture.js';
import { GENESIS, json, OTHER_GENESIS, RecordingNode } from '../../../testkit/gateway/recording-node.js';

const KEY = { authorization: `Bearer ${gatewayConfig().adminApiKey}` };
const PAGE = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

let fixture: GatewayFixture;

beforeEach(async () => {
  const foreign = new RecordingNode('full', json(200, {}));
  foreign.genesisHash = OTHER_GENESIS;
  await foreign.listen();
  const nodes = await startNodes({ archival: [json(200, {})], full: [json(200, {})] });
  fixture = await GatewayFixture.open([...nodes, foreign]);
});

afterEach(() => fixture.close());

describe('GET /admin', () => {
  test.each([{}, { authorization: 'Bearer wrong' }])(
    'is 401 with the page and no data for %j',
    async headers => {
      const reply = await fixture.get('/admin', { ...PAGE, ...headers });
      expect([reply.status, reply.headers['content-type']]).toEqual([401, 'text/html; charset=utf-8']);
      expect(reply.headers['www-authenticate']).toMatch(/^Bearer/);
      const html = reply.body.toString();
      for (const secret of [GENESIS, OTHER_GENESIS, gatewayConfig().adminApiKey, '127.0.0.1']) {
        expect(html).not.toContain(secret);
      }
    },
  );

  test('is 401 in JSON for a program', async () => {
    const reply = await fixture.get('/admin');
    expect([reply.status, errorOf(reply).code]).toEqual([401, 401]);
  });

  test('is 200 with the key, and the same page', async () => {
    const [open, locked] = [
      await fixture.get('/admin', { ...PAGE, ...KEY }),
      await fixture.get('/admin', PAGE),
    ];
    expect(open.status).toBe(200);
    expect(open.body.equals(locked.body)).toBe(true);
    expect(open.body.length).toBeLessThan(24_000);
  });

  test('may run only its own script, and must not be framed', async () => {
    const { headers } = await fixture.get('/admin', PAGE);
    const policy = headers['content-security-policy'];
    expect(policy).toMatch(/^default-src 'none'/);
    expect(policy).toMatch(/script-src 'sha256-[\w+/=]{44}';/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
  });
});

describe('GET /admin/state', () => {
  test('reports every node with health and traffic', async () => {
    await fixture.get('/api/v1/tokens');
    const state = JSON.parse((await fixture.get('/admin/state', KEY)).body.toString());
    expect(state.gateway).toMatchObject({ domain: 'gateway.test', mode: 'private', genesis_hash: GENESIS });
    const common = { ip: '127.0.0.1', source: 'static', answers: true, height: '7', failures: 0 };
    expect(state.nodes).toMatchObject([
      { ...common, role: 'archival', routed: true, state: 'is routed to', requests: 1 },
      { ...common, role: 'full', routed: true, state: 'is routed to', requests: 0 },
      { ...common, role: 'full', routed: false, state: 'is on another chain', requests: 0 },
    ]);
    expect(state.system.cpu.count).toBeGreaterThan(0);
    expect(JSON.stringify(state)).not.toContain(gatewayConfig().adminApiKey);
  });
});
