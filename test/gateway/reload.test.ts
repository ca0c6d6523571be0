import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { ConfigError } from '#gateway/base/errors.js';
import type { GatewayConfig } from '#gateway/config/config.js';
import { gatewayConfig } from '../../testkit/gateway/gateway-config.js';
import { errorOf, GatewayFixture, startNodes } from '../../testkit/gateway/gateway-fixture.js';
import { json, type RecordingNode } from '../../testkit/gateway/recording-node.js';
import { until } from '../../testkit/time/until.js';

const KEY = { authorization: `Bearer ${gatewayConfig().adminApiKey}` };
const OTHER_KEY = 'z'.repeat(43);

let fixture: GatewayFixture;
let first: RecordingNode;
let second: RecordingNode;
/** The configuration that a reload reads. */
let next: () => GatewayConfig;
let errors: string[];
let warnings: string[];

const onlyNode = ({ ip, port, role }: RecordingNode) => ({ staticNodes: [{ ip, port, role }] });
const change = (changes: Partial<GatewayConfig>) => {
  const { config } = fixture.gateway.context;
  next = () => ({ ...config, ...changes });
};
const reload = () => fixture.post('/admin/reload', '{}', KEY);
const from = async () => JSON.parse((await fixture.get('/api/v1/accounts/x')).body.toString()).from;

beforeEach(async () => {
  errors = [];
  warnings = [];
  const nodes = await startNodes({ full: [json(200, { from: 'first' }), json(200, { from: 'second' })] });
  [first, second] = nodes as [RecordingNode, RecordingNode];
  const options = {
    readConfig: async () => ({ config: next(), warnings: ['of the file'] }),
    onError: ({ message }: Error) => void errors.push(message),
    logger: { level: 'warn', stream: { write: (line: string) => void warnings.push(JSON.parse(line).msg) } },
  };
  fixture = await GatewayFixture.open(nodes, onlyNode(first), options);
});
afterEach(async () => {
  await fixture.close();
  expect(errors).toEqual([]);
});

test('loads a new configuration, while connections stay open', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = async (): Promise<[number | undefined, Socket]> => {
    const [response] = (await once(get(`${fixture.gateway.url}/gateway/status`, { agent }), 'response')) as [
      IncomingMessage,
    ];
    const { socket } = response;
    response.resume();
    await once(response, 'end');
    return [response.statusCode, socket];
  };
  const before = await ask();
  expect(await from()).toBe('first');
  change({ ...onlyNode(second), adminApiKey: OTHER_KEY, hstsSeconds: 60 });
  expect((await reload()).status).toBe(200);
  expect(await ask()).toEqual(before);
  expect(before[1].destroyed).toBe(false);
  agent.destroy();
  expect(await from()).toBe('second');
  expect((await fixture.get('/admin/state', KEY)).status).toBe(401);
  const state = await fixture.get('/admin/state', { 'x-api-key': OTHER_KEY });
  expect([state.status, state.headers['strict-transport-security']]).toEqual([200, 'max-age=60']);
  // The counts continue after the reload.
  expect(JSON.parse(state.body.toString()).traffic.requests).toBeGreaterThanOrEqual(5);
});

test('lets running requests end, then closes the connections to the old nodes', async () => {
  let answer: () => void = () => undefined;
  let left = 0;
  first.answer = (request, response, socket) => {
    socket.on('close', () => (left += 1));
    answer = () => json(200, { from: 'first, late' })(request, response, socket);
  };
  const running = fixture.get('/api/v1/accounts/x');
  await until(() => first.received.length === 1);
  change(onlyNode(second));
  await fixture.gateway.reload();
  expect(await from()).toBe('second');
  expect(left).toBe(0);
  answer();
  expect(JSON.parse((await running).body.toString())).toEqual({ from: 'first, late' });
  await until(() => left === 1);
  const { checks } = first;
  await fixture.gateway.context.nodes.refresh();
  expect(first.checks).toBe(checks);
});

test('keeps the old configuration, and reports the reason, if the new configuration is unusable', async () => {
  const { context } = fixture.gateway;
  next = () => {
    throw new ConfigError('CONFIG_INVALID', '2 invalid fields', [
      'faucet must be true',
      'lag must be an object',
    ]);
  };
  const reply = await reload();
  expect([reply.status, errorOf(reply).error]).toEqual([
    409,
    'The old configuration stays in force: 2 invalid fields: faucet must be true; lag must be an object',
  ]);
  change({ ...onlyNode(second), stateFile: '/dev/null/state.json' });
  expect(errorOf(await reload()).error).toContain('state_file: /dev/null/state.json');
  expect(fixture.gateway.context).toBe(context);
  expect(await from()).toBe('first');
});

test.each<[string, () => Partial<GatewayConfig>, () => string]>([
  [
    'a port where nobody listens',
    () => ({ staticNodes: [{ ip: '127.0.0.1', port: 9, role: 'full' }] }),
    () => 'node 127.0.0.1:9 (full) is down (refuses connections)',
  ],
  [
    'another chain',
    () => ({ genesisHash: 'cd'.repeat(32) }),
    () => `node 127.0.0.1:${first.port} (full) is on another chain`,
  ],
  ['no nodes', () => ({ staticNodes: [] }), () => 'no node is admitted'],
])('refuses a configuration with %s, which leaves no node to route to', async (_name, changes, fault) => {
  change(changes());
  const { error } = errorOf(await reload());
  expect(error).toBe(
    `The old configuration stays in force: under the new configuration, requests could go to no node: ${fault()}`,
  );
  expect([await from(), warnings]).toEqual(['first', []]);
  // While no node is routed, a configuration without routable nodes is accepted.
  await first.stop();
  await fixture.gateway.context.nodes.refresh();
  warnings.length = 0;
  expect((await reload()).status).toBe(200);
  expect(warnings).toContain('of the file');
  expect((await fixture.get('/gateway/health/ready')).status).toBe(503);
  await first.listen();
});

test.each<[string, Partial<GatewayConfig>]>([
  ['listen', { listenHost: '127.0.0.2' }],
  ['listen', { listenPort: 1 }],
  ['metrics_listen', { metrics: { host: '127.0.0.1', port: 1 } }],
  ['tls', { tls: { certFile: '/cert.pem', keyFile: '/key.pem' } }],
])('refuses a change of %s, which requires a restart', async (field, changes) => {
  change({ ...onlyNode(second), ...changes });
  const { error } = errorOf(await reload());
  expect(error).toBe(`The old configuration stays in force: a change of ${field} requires a restart`);
  expect(await from()).toBe('first');
});

test('keeps the changes of an allowlist in memory, and applies later changes under the new configuration', async () => {
  change({ staticNodes: [first, second].map(({ ip, port, role }) => ({ ip, port, role })) });
  await fixture.post('/gateway/allowlist/cordon', JSON.stringify({ ip: first.ip, port: first.port }), KEY);
  for (let count = 0; count < 3; count += 1) expect((await reload()).status).toBe(200);
  expect([await from(), await from()]).toEqual(['second', 'second']);
  await fixture.post('/gateway/allowlist/uncordon', JSON.stringify({ ip: first.ip, port: first.port }), KEY);
  expect(new Set([await from(), await from()])).toEqual(new Set(['first', 'second']));
});

test('answers without a gap while it is reloaded again and again', async () => {
  let asked = 0;
  let isDone = false;
  const ask = async () => {
    while (!isDone) {
      expect((await fixture.get('/api/v1/accounts/x')).status).toBe(200);
      asked += 1;
    }
  };
  const asking = [ask(), ask(), ask()];
  for (const node of [second, first, second, first, second]) {
    const before = asked;
    change(onlyNode(node));
    await fixture.gateway.reload();
    await until(() => asked > before + 5);
  }
  isDone = true;
  await Promise.all(asking);
});

test('requires the key, and a gateway that read its configuration from a file', async () => {
  expect((await fixture.post('/admin/reload', '{}')).status).toBe(401);
  const other = await GatewayFixture.open([]);
  const reply = await other.post('/admin/reload', '{}', KEY);
  expect([reply.status, errorOf(reply).error]).toEqual([
    409,
    'This gateway was started by a program and has no configuration file',
  ]);
  await other.close();
});
