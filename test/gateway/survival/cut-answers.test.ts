import { type Gateway, startGateway } from '#gateway/gateway.js';
import { gatewayConfig } from '../../../testkit/gateway/gateway-config.js';
import { httpRequest } from '../../../testkit/network/http.js';
import { someOf } from '../../../testkit/repository/case-count.js';
import { useLoopTime } from '../../../testkit/time/loop-time.js';
import { until } from '../../../testkit/time/until.js';
import { type Behaviour, BreakingNode } from './breaking-node.js';

useLoopTime();

const BODY = '{"height":7}';
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const RESPONSES = [
  `${HEAD}content-length: ${BODY.length}\r\n\r\n${BODY}`,
  `${HEAD}transfer-encoding: chunked\r\n\r\n${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`,
];
const ENDINGS = ['end', 'destroy', 'resetAndDestroy'] as const;

/** A response, the number of its bytes that are sent, and how the connection ends. */
type Cut = readonly [response: string, length: number, ending: (typeof ENDINGS)[number]];

const CUTS: readonly Cut[] = RESPONSES.flatMap(response =>
  Array.from(response).flatMap((_, length) => ENDINGS.map(ending => [response, length, ending] as const)),
);

const WHOLE: Behaviour = socket => void socket.write(RESPONSES[0]!);
const cut =
  ([response, length, ending]: Cut): Behaviour =>
  socket =>
    void socket.write(response.slice(0, length), () => socket[ending]());

let archival: BreakingNode;
let full: BreakingNode;
let gateway: Gateway;
beforeAll(async () => {
  [archival, full] = await Promise.all([BreakingNode.start('archival'), BreakingNode.start('full')]);
  const staticNodes = [archival, full].map(({ ip, port, role }) => ({ ip, port, role }));
  gateway = await startGateway(gatewayConfig({ staticNodes }));
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([archival.stop(), full.stop()]);
});

async function ask(first: Behaviour, second: Behaviour): Promise<[status: number, body: string]> {
  archival.behaviour = first;
  full.behaviour = second;
  const { status, body } = await httpRequest('GET', `${gateway.url}/api/v1/tokens`);
  return [status, body.toString()];
}

test('a read is answered if both nodes answer completely', async () => {
  expect(await ask(WHOLE, WHOLE)).toEqual([200, BODY]);
  expect(CUTS.length).toBeGreaterThan(500);
});

test('answers that both nodes cut off at any byte become a 502, and one complete answer is enough', async () => {
  for (const [index, first] of someOf([...CUTS.entries()])) {
    const second = CUTS[CUTS.length - 1 - index]!;
    const [status, body] = await ask(cut(first), cut(second));
    expect([first, second, status, JSON.parse(body).success]).toEqual([first, second, 502, false]);
    expect([first, ...(await ask(cut(first), WHOLE))]).toEqual([first, 200, BODY]);
    expect([first, ...(await ask(WHOLE, cut(first)))]).toEqual([first, 200, BODY]);
  }
  await until(() => archival.connections + full.connections <= 2);
});
