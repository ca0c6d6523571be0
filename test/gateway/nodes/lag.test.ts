import { bestHeight, blocksBehind, standingOf } from '#gateway/nodes/lag.js';
import { errorOf, GatewayFixture, startNodes } from '../../../testkit/gateway/gateway-fixture.js';
import { type Answer, empty, GENESIS, json, RecordingNode } from '../../../testkit/gateway/recording-node.js';

const report = (source: 'static' | 'registry', height: bigint | undefined, changes = {}) => ({
  source,
  fork: undefined,
  health: {
    answers: true,
    genesisHash: 'a1',
    checkedAtMs: 1,
    ...(height !== undefined && { height }),
    ...changes,
  },
});

const LAG = { lastBlocks: 5, outBlocks: 100 };

describe('the best height', () => {
  test("is the greatest height of the operator's nodes that answer on the chain", () => {
    const nodes = [
      report('static', 7n),
      report('static', 9n),
      report('static', undefined),
      report('registry', 1000n),
      report('static', 1001n, { genesisHash: 'b2' }),
      report('static', 1002n, { answers: false }),
    ];
    expect(bestHeight(nodes, 'a1', LAG)).toBe(9n);
    expect(nodes.slice(0, 4).map(node => blocksBehind(node, 9n))).toEqual([2n, 0n, 0n, 0n]);
  });

  test('is unknown without a node of the operator', () => {
    expect(bestHeight([report('registry', 7n)], 'a1', LAG)).toBeUndefined();
    expect(blocksBehind(report('registry', 7n), undefined)).toBe(0n);
  });
});

const heightOf = (heights: readonly number[], lag = LAG) =>
  Number(
    bestHeight(
      heights.map(height => report('static', BigInt(height))),
      'a1',
      lag,
    ),
  );

describe('the best height of three or more nodes', () => {
  test.each([
    [1000, [1000, 1000, 1000, 1000, 1090]],
    [1000, [1000, 1000, 1000, 1000, 1006]],
    [1005, [1000, 1000, 1000, 1000, 1005]],
    [1000, [900, 1000, 1090]],
    [1090, [1000, 1000, 1000, 1088, 1090]],
    [1000, [900, 1000, 1101, 1101, 999]],
    [1000, [1000, 1000, 1000, 1101, 1101]],
    [1100, [1000, 1000, 1000, 1100, 1100]],
  ])('is %p for the heights %p', (best, heights) => {
    expect(heightOf(heights)).toBe(best);
    expect(heightOf(heights.toReversed())).toBe(best);
  });

  test('ignores a limit of 0, and is the greatest height without limits', () => {
    expect(heightOf([1000, 1000, 1101], { lastBlocks: 0, outBlocks: 100 })).toBe(1000);
    expect(heightOf([1000, 1000, 1100], { lastBlocks: 0, outBlocks: 100 })).toBe(1100);
    expect(heightOf([1000, 1000, 1006], { lastBlocks: 5, outBlocks: 0 })).toBe(1000);
    expect(heightOf([1000, 1000, 1101], { lastBlocks: 0, outBlocks: 0 })).toBe(1101);
  });
});

test.each([
  [5n, 100, 'in-step'],
  [6n, 100, 'late'],
  [100n, 100, 'late'],
  [101n, 100, 'out'],
  [1_000_000n, 0, 'late'],
] as const)('a node that is %p blocks behind, with out_blocks %p, is %s', (behind, outBlocks, standing) => {
  expect(standingOf(behind, { lastBlocks: 5, outBlocks })).toBe(standing);
  expect(standingOf(behind, { lastBlocks: 0, outBlocks: 0 })).toBe('in-step');
});

let fixture: GatewayFixture;
afterEach(() => fixture?.close());

/** Starts nodes that report these heights and give these answers. */
async function open(nodes: {
  archival?: [number, Answer][];
  full?: [number, Answer][];
}): Promise<RecordingNode[]> {
  const { archival = [], full = [] } = nodes;
  const started = await startNodes({ archival: archival.map(last), full: full.map(last) });
  for (const [index, [height]] of [...archival, ...full].entries()) setHeight(started[index]!, height);
  fixture = await GatewayFixture.open(started);
  return started;
}

const last = ([, answer]: [number, Answer]) => answer;
const setHeight = (node: RecordingNode, height: number) => {
  node.answerCheck = json(200, { genesis_hash: GENESIS, height });
};
const OK = json(200, {});

async function askedInSix(nodes: readonly RecordingNode[]): Promise<number[]> {
  const before = nodes.map(({ received }) => received.length);
  for (let count = 0; count < 6; count += 1) await fixture.get('/api/v1/accounts/x');
  return nodes.map(({ received }, index) => received.length - before[index]!);
}

test('nodes in step share reads, and a node that falls behind is not asked until it has caught up', async () => {
  const nodes = await open({
    full: [
      [1000, OK],
      [996, OK],
    ],
  });
  expect(await askedInSix(nodes)).toEqual([3, 3]);
  setHeight(nodes[0]!, 1002);
  await fixture.gateway.context.nodes.refresh();
  expect(await askedInSix(nodes)).toEqual([6, 0]);
  expect(fixture.gateway.context.nodes.find(nodes[1]!)).toMatchObject({ behind: 6n, standing: 'late' });
  setHeight(nodes[1]!, 1002);
  await fixture.gateway.context.nodes.refresh();
  expect(await askedInSix(nodes)).toEqual([3, 3]);
});

test('a node that reports blocks that no other node has does not make the others lag', async () => {
  const nodes = await open({
    archival: [[1090, json(200, {})]],
    full: [
      [1000, OK],
      [1000, OK],
      [1000, OK],
      [1000, OK],
    ],
  });
  const { nodes: directory } = fixture.gateway.context;
  expect(directory.nodes().map(({ behind, standing }) => [behind, standing])).toEqual(
    nodes.map(() => [0n, 'in-step']),
  );
  expect((await fixture.get('/api/v1/accounts/x')).headers['zbc-height']).toBe('1000');
  expect(nodes[0]!.asked).toHaveLength(1);
});

test('a late archival node is asked after the other archival nodes, and before full nodes', async () => {
  const [late, archival, full] = await open({
    archival: [
      [900, OK],
      [1000, OK],
    ],
    full: [[1000, OK]],
  });
  expect(await askedInSix([late!, archival!, full!])).toEqual([0, 6, 0]);
  archival!.answer = empty(500);
  const { headers } = await fixture.get('/api/v1/accounts/x');
  expect([headers['zbc-height'], headers['zbc-answered-by']]).toEqual(['900', 'archival']);
  expect(full!.asked).toEqual([]);
});

test('neither lag nor the height that a client has seen moves the read of an account to a full node', async () => {
  const [archival, full] = await open({ archival: [[900, OK]], full: [[1000, OK]] });
  const read = () => fixture.get('/api/v1/accounts/x', { 'zbc-height': '1000' });
  expect((await read()).headers).toMatchObject({ 'zbc-height': '900', 'zbc-answered-by': 'archival' });
  setHeight(archival!, 800);
  await fixture.gateway.context.nodes.refresh();
  const reply = await read();
  expect([reply.status, errorOf(reply).error]).toEqual([503, 'No archival node is available']);
  expect(full!.asked).toEqual([]);
  // For a block that both nodes have, the gateway gets an answer.
  const block = await fixture.get('/api/v1/blocks/7');
  expect([block.status, block.headers['zbc-answered-by']]).toEqual([200, 'full after failure']);
});

test('a node that is too far behind is never asked, and its state reports the reason', async () => {
  const [archival, full] = await open({ archival: [[899, OK]], full: [[1000, empty(404)]] });
  const history = await fixture.get('/api/v1/movements/latest');
  expect([history.status, errorOf(history).error]).toEqual([503, 'No archival node is available']);
  expect([archival!.asked.length, full!.asked.length]).toEqual([0, 1]);
  const state = fixture.gateway.context.nodes.find(archival!);
  expect(state).toMatchObject({ routed: false, standing: 'out', behind: 101n, health: { answers: true } });
});

test('a POST goes to a late full node only when the other full nodes cannot be reached', async () => {
  const [late, best] = await open({
    full: [
      [990, json(202, {})],
      [1000, json(202, {})],
    ],
  });
  for (let count = 0; count < 3; count += 1) await fixture.post('/api/v1/transactions', '{}');
  expect([late!.asked.length, best!.asked.length]).toEqual([0, 3]);
  await best!.stop();
  expect((await fixture.post('/api/v1/transactions', '{}')).status).toBe(202);
  expect(late!.asked).toHaveLength(1);
  await best!.listen();
});

describe('a client that sends the height that it has seen', () => {
  const ask = async (seen: string) =>
    (await fixture.get('/api/v1/accounts/x', { 'zbc-height': seen })).headers;
  const heights = async (seen: string) => {
    const asked = [];
    for (let count = 0; count < 4; count += 1) asked.push((await ask(seen))['zbc-height']);
    return asked;
  };

  test('is not routed to a lower node if a node has that height', async () => {
    const nodes = await open({
      archival: [
        [997, OK],
        [998, OK],
      ],
      full: [[1000, OK]],
    });
    expect(new Set(await heights('997'))).toEqual(new Set(['997', '998']));
    expect(await heights('998')).toEqual(Array(4).fill('998'));
    expect(await heights('1000')).toEqual(Array(4).fill('998'));
    nodes[1]!.answer = empty(500);
    expect(await ask('998')).toMatchObject({ 'zbc-height': '997' });
    // The header is the gateway's own, so nodes do not receive it.
    expect(nodes.flatMap(({ received }) => received.map(({ headers }) => headers['zbc-height']))).toEqual(
      Array(nodes.flatMap(({ received }) => received).length).fill(undefined),
    );
  });

  test('is routed to the highest node if no node is known to have that height', async () => {
    await open({
      full: [
        [999, OK],
        [1000, OK],
      ],
    });
    expect(await heights('9223372036854775807')).toEqual(Array(4).fill('1000'));
  });

  test('is routed to the nodes of the operator before a registered node, which may claim any height', async () => {
    const registered = await RecordingNode.start('archival', OK);
    setHeight(registered, 5_000_000);
    const { ip, port } = registered;
    const registry = json(200, { nodes: [], archivals: [{ ip, port }] });
    const seed = await RecordingNode.start('archival', registry);
    setHeight(seed, 998);
    const full = await RecordingNode.start('full', OK);
    setHeight(full, 1000);
    fixture = await GatewayFixture.open([seed, full], { mode: 'public' });
    expect(fixture.gateway.context.nodes.find(registered)).toMatchObject({
      source: 'registry',
      routed: true,
    });
    expect(await heights('1000')).toEqual(Array(4).fill('998'));
    seed.answer = empty(500);
    expect((await ask('1000'))['zbc-answered-by']).toBe('archival');
    expect(registered.received).toHaveLength(1);
    // While a node that has the height fails, a lower node of the operator answers.
    seed.answer = registry;
    const ahead = await RecordingNode.start('archival', empty(500));
    setHeight(ahead, 1000);
    const { allowlist, nodes } = fixture.gateway.context;
    await allowlist.add({ ip: ahead.ip, port: ahead.port, role: 'archival' });
    await nodes.refresh();
    expect(await heights('1000')).toEqual(Array(4).fill('998'));
    await ahead.stop();
    await registered.stop();
  });

  test.each(['', '-1', '1e3', '0x3e8', '99999999999999999999', '1000, 1000'])(
    'is treated as a client without the header if it sends %p',
    async seen => {
      await open({
        full: [
          [999, OK],
          [1000, OK],
        ],
      });
      expect(new Set(await heights(seen))).toEqual(new Set(['999', '1000']));
    },
  );

  test('receives no height that is far above that of all other nodes', async () => {
    await open({
      full: [
        [1000, OK],
        [1000, OK],
        [5_000_000, OK],
      ],
    });
    expect(new Set(await heights('0'))).toEqual(new Set(['1000']));
  });
});
