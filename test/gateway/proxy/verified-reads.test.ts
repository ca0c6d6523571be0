import { gatewayConfig } from '../../../testkit/gateway/gateway-config.js';
import { errorOf, GatewayScene, startNodes } from '../../../testkit/gateway/gateway-scene.js';
import { type Answer, json, type RecordingNode, reset } from '../../../testkit/gateway/recording-node.js';

const KEY = { authorization: `Bearer ${gatewayConfig().adminApiKey}` };
const HASH = 'cd'.repeat(32);
const PATH = `/api/v1/transactions/${HASH}/status`;
const TRUTH = { transaction_hash: HASH, status: 'confirmed', block_height: 5 };
const LIE = { ...TRUTH, block_height: 4 };
const HONEST = json(200, TRUTH);
const LYING = json(200, LIE);

let scene: GatewayScene;
let nodes: RecordingNode[];
let errors: string[];

afterEach(() => scene.close());

async function open(answers: Answer[], verifyReads = { share: 1, nodes: 3 }): Promise<void> {
  nodes = await startNodes({ full: answers });
  errors = [];
  const onError = ({ message }: Error) => void errors.push(message);
  scene = await GatewayScene.open(nodes, { verifyReads, cacheBytes: 0 }, { onError });
}

const read = async (path = PATH) => JSON.parse((await scene.get(path)).body.toString());
const cordons = () => scene.gateway.context.nodes.nodes().map(({ cordon }) => cordon);
const counts = async () => (await scene.gateway.context.readTraffic()).reads;
const asked = () => nodes.map(({ received }) => received.length);

it('a lie is outvoted, reported, counted and shown, and the liar is asked no more', async () => {
  await open([HONEST, LYING, HONEST]);
  expect(await read()).toEqual(TRUTH);
  expect(asked()).toEqual([1, 1, 1]);
  expect(cordons()).toEqual([undefined, 'disagreement', undefined]);
  expect(errors).toEqual([
    `nodes disagree about what is confirmed, at GET ${PATH}: 127.0.0.1:${nodes[1]!.port} contradicted the others and gets no more requests`,
  ]);
  expect(await counts()).toEqual({ hedged: 0, verified: 1, disagreed: 1 });
  const state = JSON.parse((await scene.get('/admin/state', KEY)).body.toString());
  expect(state.nodes[1]).toMatchObject({ cordon: 'disagreement', routed: false, answers: true });
  expect(state.traffic.reads).toMatchObject({ verified: 1, disagreed: 1 });
  expect(await read()).toEqual(TRUTH);
  expect(asked()).toEqual([2, 1, 2]);
  const address = { ip: '127.0.0.1', port: nodes[1]!.port };
  expect(await scene.gateway.context.allowlist.read()).toMatchObject({
    cordoned: [{ ...address, cause: 'disagreement' }],
  });
  await scene.post('/gateway/allowlist/uncordon', JSON.stringify(address), KEY);
  expect(cordons()).toEqual([undefined, undefined, undefined]);
});

it('asks more nodes while it is not decided', async () => {
  await open([LYING, HONEST, HONEST], { share: 1, nodes: 2 });
  for (let count = 0; count < 3; count += 1) expect(await read()).toEqual(TRUTH);
  expect(cordons()).toEqual(['disagreement', undefined, undefined]);
});

it('is 502 when it cannot be decided, which is reported once', async () => {
  await open([LYING, HONEST]);
  for (let count = 0; count < 2; count += 1) {
    const reply = await scene.get(PATH);
    expect([reply.status, errorOf(reply).error]).toEqual([502, 'The nodes disagree about what is confirmed']);
  }
  expect(errors).toEqual([expect.stringContaining('it was answered 502')]);
  expect([cordons(), (await counts()).disagreed]).toEqual([[undefined, undefined], 2]);
});

it('a client cannot have a node cordoned that knows one spelling alone', async () => {
  const unusual = PATH.replace(HASH, HASH.toUpperCase());
  const strict: Answer = (...exchange) =>
    (exchange[0].path === PATH ? HONEST : json(404, { success: false, error: 'no', code: 404 }))(...exchange);
  await open([HONEST, HONEST, strict]);
  for (let count = 0; count < 3; count += 1) await scene.get(unusual);
  expect([cordons(), (await counts()).verified]).toEqual([Array(3).fill(undefined), 0]);
  expect(await read()).toEqual(TRUTH);
  expect((await counts()).verified).toBe(1);
});

it('a node that fails is no reason to doubt the others', async () => {
  await open([reset, HONEST, json(503, { success: false, error: 'under load', code: 503 })]);
  expect(await read()).toEqual(TRUTH);
  expect([cordons(), errors, (await counts()).disagreed]).toEqual([Array(3).fill(undefined), [], 0]);
});

it('is as it would be from one node where nobody claims anything', async () => {
  const unknown = { success: false, error: 'Transaction not found', code: 404 };
  await open([json(404, unknown), json(404, unknown)]);
  expect(await read()).toEqual(unknown);
  expect((await counts()).disagreed).toBe(0);
});

it('what may change is not compared, and nothing is with a share of 0', async () => {
  await open([HONEST, LYING, HONEST]);
  await read('/api/v1/accounts/x');
  expect(asked().reduce((sum, count) => sum + count)).toBe(1);
  await scene.close();
  await open([HONEST, LYING, HONEST], { share: 0, nodes: 3 });
  for (let count = 0; count < 3; count += 1) await read();
  expect([asked(), cordons()]).toEqual([
    [1, 1, 1],
    [undefined, undefined, undefined],
  ]);
  expect((await counts()).verified).toBe(0);
});
