import { GatewayScene, startNodes } from '../../../testkit/gateway/gateway-scene.js';
import { json } from '../../../testkit/gateway/recording-node.js';

const HEADER = 'strict-transport-security';

async function headersWith(hstsSeconds: number): Promise<unknown[]> {
  const scene = await GatewayScene.open(await startNodes({ full: [json(200, {})] }), { hstsSeconds });
  const answers = [
    await scene.get('/gateway/status'),
    await scene.get('/api/v1/node/info'),
    await scene.get('/nothing'),
    await scene.get('/gateway/status', { host: 'other.test' }),
  ];
  await scene.close();
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 403]);
  return answers.map(({ headers }) => headers[HEADER]);
}

it('is in every response when it is configured, and in none otherwise', async () => {
  expect(await headersWith(300)).toEqual(Array(4).fill('max-age=300'));
  expect(await headersWith(0)).toEqual(Array(4).fill(undefined));
});
