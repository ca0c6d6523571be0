import { errorOf, GatewayScene, startNodes } from '../../../testkit/gateway/gateway-scene.js';
import { json, type RecordingNode } from '../../../testkit/gateway/recording-node.js';

let scene: GatewayScene;
let node: RecordingNode;
beforeEach(async () => {
  const nodes = await startNodes({ full: [json(200, {})] });
  node = nodes[0]!;
  scene = await GatewayScene.open(nodes);
});
afterEach(() => scene.close());

const ask = async (which: string) => {
  const answer = await scene.get(`/gateway/health/${which}`);
  return [answer.status, JSON.parse(answer.body.toString())];
};
const check = () => scene.gateway.context.nodes.refresh();

it('is live and ready while a node answers, and asks none', async () => {
  expect(await ask('live')).toEqual([200, { live: true }]);
  expect(await ask('ready')).toEqual([200, { ready: true }]);
  expect(node.received).toEqual([]);
});

it('is live, and not ready, while no node answers', async () => {
  await node.stop();
  await check();
  expect(await ask('live')).toEqual([200, { live: true }]);
  const answer = await scene.get('/gateway/health/ready');
  expect([answer.status, errorOf(answer).error]).toEqual([503, 'No node is available']);
  expect(answer.headers['retry-after']).toBe('3600');
  await node.listen();
  await check();
  expect((await ask('ready'))[0]).toBe(200);
});
