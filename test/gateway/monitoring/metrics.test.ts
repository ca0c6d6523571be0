import { once } from 'node:events';
import { connect } from 'node:net';
import type { Registry } from 'prom-client';
import { createJsonApp } from '#gateway/http/json-app.js';
import { AnsweredRequests } from '#gateway/monitoring/answered-requests.js';
import { createMetrics, startMetricsServer } from '#gateway/monitoring/metrics.js';
import { Traffic } from '#gateway/monitoring/traffic.js';
import { KnownNode } from '#gateway/nodes/known-node.js';
import type { NodeDirectory } from '#gateway/nodes/node-directory.js';

const node = (port: number, role: 'full' | 'archival', routed: boolean): KnownNode =>
  Object.assign(new KnownNode({ ip: '192.0.2.1', port, role, source: 'static' }), {
    behind: role === 'full' ? 6n : 0n,
    standing: role === 'full' ? ('late' as const) : ('in-step' as const),
    routed,
    health: { answers: routed, checkedAtMs: 0, height: 1000n + BigInt(port) },
  });
const nodes = [node(1, 'full', true), node(2, 'full', false), node(3, 'archival', true)];
let bestHeight: bigint | undefined;
const directory = { nodes: () => nodes, bestHeight: () => bestHeight } as unknown as NodeDirectory;

let certificateEndMs: number | undefined;

async function measuredApp() {
  const traffic = new Traffic();
  const app = createJsonApp(() => undefined);
  const answers = new AnsweredRequests();
  const register = await createMetrics({
    answers,
    traffic,
    directory,
    refused: { all: 3, client: 2 },
    certificateEndMs: () => certificateEndMs,
  });
  answers.follow(app);
  app.get('/dl/:name', async () => ({}));
  app.get('/api/v1/blocks', async () => ({}));
  app.get('/busy', async (_request, reply) => reply.code(429).send({}));
  return { app, traffic, register };
}

/** Returns the values of a metric by their labels. */
async function valuesOf(register: Registry, name: string): Promise<Record<string, number>> {
  const lines = (await register.metrics()).split('\n').filter(line => line.startsWith(`${name}{`));
  return Object.fromEntries(lines.map(line => [/\{(.*)\}/.exec(line)![1]!, Number(line.split(' ').at(-1))]));
}

test('counts responses by registered route', async () => {
  const { app, register } = await measuredApp();
  for (const url of ['/dl/a', '/dl/b', '/dl/c?x=1', '/nothing', '/nothing/else', '/busy']) {
    await app.inject(url);
  }
  await app.inject({ method: 'DELETE', url: '/dl/a' });
  expect(await valuesOf(register, 'zbc_gateway_requests_total')).toEqual({
    'method="GET",route="/dl/:name",status="200"': 3,
    'method="GET",route="none",status="404"': 2,
    'method="GET",route="/busy",status="429"': 1,
    'method="other",route="none",status="404"': 1,
  });
  expect(await valuesOf(register, 'zbc_gateway_request_duration_seconds_count')).toEqual({
    'route="/dl/:name"': 3,
    'route="none"': 3,
    'route="/busy"': 1,
  });
  await app.close();
});

test('does not time requests that ask to wait', async () => {
  const { app, register } = await measuredApp();
  await app.inject('/api/v1/blocks');
  await app.inject('/api/v1/blocks?wait_ms=1');
  const asked = 'method="GET",route="/api/v1/blocks",status="200"';
  expect(await valuesOf(register, 'zbc_gateway_requests_total')).toEqual({ [asked]: 2 });
  const timed = await valuesOf(register, 'zbc_gateway_request_duration_seconds_count');
  expect(timed).toEqual({ 'route="/api/v1/blocks"': 1 });
  await app.close();
});

test('counts connections that were refused', async () => {
  const { app, register } = await measuredApp();
  for (let twice = 0; twice < 2; twice += 1) {
    const refused = await valuesOf(register, 'zbc_gateway_connections_refused_total');
    expect(refused).toEqual({ 'limit="all"': 3, 'limit="client"': 2 });
  }
  await app.close();
});

test('reports no height above the best credible height', async () => {
  const { app, register } = await measuredApp();
  bestHeight = 1002n;
  expect(await valuesOf(register, 'zbc_gateway_height')).toEqual({
    'role="full"': 1001,
    'role="archival"': 1002,
  });
  bestHeight = undefined;
  await app.close();
});

test('reports nodes by role', async () => {
  const { app, register } = await measuredApp();
  const read = (name: string) => valuesOf(register, name);
  for (let twice = 0; twice < 2; twice += 1) {
    expect(await read('zbc_gateway_nodes_admitted')).toEqual({ 'role="full"': 2, 'role="archival"': 1 });
    expect(await read('zbc_gateway_nodes_routed')).toEqual({ 'role="full"': 1, 'role="archival"': 1 });
    expect(await read('zbc_gateway_height')).toEqual({ 'role="full"': 1001, 'role="archival"': 1003 });
  }
  await app.close();
});

test('reports each node of the operator, and all registered nodes as one', async () => {
  const { app, traffic, register } = await measuredApp();
  const registered = [4, 5].map(port =>
    Object.assign(node(port, 'full', true), { source: 'registry' as const }),
  );
  nodes.push(...registered);
  for (const asked of nodes) traffic.countResult(asked, '2xx');
  traffic.countResult(nodes[1]!, 'timeout');
  const read = (name: string) => valuesOf(register, name);
  const of = (name: string) => `node="${name}"`;
  for (let twice = 0; twice < 2; twice += 1) {
    expect(await read('zbc_gateway_node_requests_total')).toEqual({
      [`${of('192.0.2.1:1')},result="2xx"`]: 1,
      [`${of('192.0.2.1:2')},result="2xx"`]: 1,
      [`${of('192.0.2.1:2')},result="timeout"`]: 1,
      [`${of('192.0.2.1:3')},result="2xx"`]: 1,
      [`${of('registry')},result="2xx"`]: 2,
    });
    expect(await read('zbc_gateway_node_up')).toEqual({
      [of('192.0.2.1:1')]: 1,
      [of('192.0.2.1:2')]: 0,
      [of('192.0.2.1:3')]: 1,
      [of('registry')]: 2,
    });
    expect(await read('zbc_gateway_node_behind')).toMatchObject({
      [of('192.0.2.1:1')]: 6,
      [of('192.0.2.1:3')]: 0,
    });
  }
  traffic.keepOnly([nodes[0]!]);
  expect(Object.keys(await read('zbc_gateway_node_requests_total'))).toEqual([
    `${of('192.0.2.1:1')},result="2xx"`,
    `${of('registry')},result="2xx"`,
  ]);
  nodes.splice(-registered.length);
  await app.close();
});

test('reports for how many more days the certificate is valid, if there is a certificate', async () => {
  const { app, register } = await measuredApp();
  const read = async () => /^zbc_gateway_certificate_days (.*)$/m.exec(await register.metrics())?.[1];
  expect(await read()).toBeUndefined();
  certificateEndMs = Date.now() + 10.5 * 86_400_000;
  expect(Math.floor(Number(await read()))).toBe(10);
  certificateEndMs = Date.now() - 1.5 * 86_400_000;
  expect(Math.ceil(Number(await read()))).toBe(-1);
  certificateEndMs = undefined;
  expect(await read()).toBeUndefined();
  await app.close();
});

test('64 connections that send nothing do not keep a scraper out', async () => {
  const server = await startMetricsServer({ host: '127.0.0.1', port: 0 }, { metrics: async () => 'text' });
  const silent = Array.from({ length: 64 }, () => connect(Number(new URL(server.url).port), '127.0.0.1'));
  await Promise.all(silent.map(socket => once(socket, 'connect')));
  const answer = await fetch(server.url, { signal: AbortSignal.timeout(1000) });
  expect(await answer.text()).toBe('text');
  for (const socket of silent) socket.destroy();
  await server.stop();
});

test('the metrics have a separate listener with one path', async () => {
  let fails = false;
  const read = async () => (fails ? Promise.reject(new Error('no')) : 'text');
  const server = await startMetricsServer({ host: '127.0.0.1', port: 0 }, { metrics: read });
  const answer = await fetch(server.url);
  expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4');
  expect(await answer.text()).toBe('text');
  expect((await fetch(new URL('/', server.url))).status).toBe(404);
  expect((await fetch(server.url, { method: 'POST' })).status).toBe(404);
  fails = true;
  expect((await fetch(server.url)).status).toBe(500);
  await server.stop();
});
