import { Writable } from 'node:stream';
import { gatewayConfig } from '../../../testkit/gateway/gateway-config.js';
import { GatewayFixture, startNodes } from '../../../testkit/gateway/gateway-fixture.js';
import { json, OTHER_GENESIS, type RecordingNode } from '../../../testkit/gateway/recording-node.js';
import { until } from '../../../testkit/time/until.js';

const KEY = { authorization: `Bearer ${gatewayConfig().adminApiKey}` };
const [INFO, WARN] = [30, 40];

let fixture: GatewayFixture;
let nodes: RecordingNode[];
let lines: { level: number; msg: string }[];
const stream = () =>
  new Writable({
    write(line, _coding, done) {
      lines.push(JSON.parse(String(line)));
      done();
    },
  });
/** Returns the log lines about nodes since the last call, with names instead of addresses. */
const told = () => {
  const about = lines.splice(0).filter(({ msg }) => /\bnodes?\b/.test(msg));
  return about.map(({ level, msg }) => {
    const named = nodes.reduce((text, { ip, port }, at) => text.replace(`${ip}:${port}`, `n${at}`), msg);
    return [level, named];
  });
};
const refresh = async () => {
  await fixture.gateway.context.nodes.refresh();
  return told();
};
const change = (what: string, { ip, port }: RecordingNode) =>
  fixture.post(`/gateway/allowlist/${what}`, JSON.stringify({ ip, port }), KEY);

beforeEach(async () => {
  lines = [];
  nodes = await startNodes({ full: [json(200, {}), json(200, {}), json(200, {})] });
  fixture = await GatewayFixture.open(nodes, {}, { logger: { level: 'info', stream: stream() } });
});
afterEach(() => fixture.close());

test('logs one line when a node stops, changes its chain, lags or recovers, and nothing in between', async () => {
  const [one] = nodes as [RecordingNode];
  expect(told()).toEqual([]);
  await one.stop();
  expect(await refresh()).toEqual([[WARN, 'node n0 (full) is down (refuses connections)']]);
  expect(await refresh()).toEqual([]);
  await one.listen();
  one.genesisHash = OTHER_GENESIS;
  expect(await refresh()).toEqual([[WARN, 'node n0 (full) is on another chain']]);
  one.genesisHash = nodes[1]!.genesisHash;
  const at = (height: number) => json(200, { genesis_hash: one.genesisHash, height });
  for (const node of nodes) node.answerCheck = at(500);
  one.answerCheck = at(490);
  expect(await refresh()).toEqual([[WARN, 'node n0 (full) is 10 blocks behind and is asked last']]);
  one.answerCheck = at(300);
  expect(await refresh()).toEqual([[WARN, 'node n0 (full) is 200 blocks behind and is not asked']]);
  one.answerCheck = at(500);
  expect(await refresh()).toEqual([[WARN, 'node n0 (full) is routed to']]);
  expect(await refresh()).toEqual([]);
});

test('logs when a node is asked last because of its answers, with the reason, and when it answers again', async () => {
  await fixture.gateway.stop();
  const breaker = { failures: 2, pauseMs: 50 };
  fixture = await GatewayFixture.open(nodes, { breaker }, { logger: { level: 'info', stream: stream() } });
  const [one] = nodes as [RecordingNode];
  told();
  one.answer = json(500, {});
  const lines: unknown[] = [];
  await until(async () => {
    await fixture.get('/api/v1/x');
    lines.push(...told());
    return lines.length > 0;
  });
  one.answer = json(200, {});
  await until(async () => {
    await fixture.get('/api/v1/x');
    lines.push(...(await refresh()));
    return lines.length > 1;
  });
  expect(lines).toEqual([
    [WARN, 'node n0 (full) is asked last, because it answers 500 again and again'],
    [WARN, 'node n0 (full) is routed to'],
  ]);
});

test('logs the node of each change of the allowlist', async () => {
  const [one] = nodes as [RecordingNode];
  await change('remove', one);
  expect(told()).toEqual([[INFO, 'node n0 (full) is no longer admitted']]);
  await change('add', one);
  expect(told()).toEqual([[INFO, 'node n0 (full) is admitted (static)']]);
});

test('warns when it starts without a node to route to', async () => {
  await Promise.all(nodes.map(node => node.stop()));
  await fixture.gateway.stop();
  lines = [];
  fixture = await GatewayFixture.open(nodes, {}, { logger: { level: 'info', stream: stream() } });
  const down = [0, 1, 2].map(at => [WARN, `node n${at} (full) is down (refuses connections)`]);
  expect(told()).toEqual([...down, [WARN, 'requests can go to no node']]);
  await Promise.all(nodes.map(node => node.listen()));
});
