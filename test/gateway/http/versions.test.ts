import { once } from 'node:events';
import { connect } from 'node:net';
import { GatewayScene } from '../../../testkit/gateway/gateway-scene.js';

let scene: GatewayScene;
beforeAll(async () => {
  scene = await GatewayScene.open([]);
});
afterAll(() => scene.close());

/** What comes until the gateway closes the connection. */
async function answerTo(request: string): Promise<string> {
  const { hostname, port } = new URL(scene.gateway.url);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', piece => {
    answer += piece;
  });
  socket.write(request);
  await once(socket, 'close');
  return answer;
}

const HOST = 'Host: gateway.test\r\n';
const CHUNKS = `Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`;
const NEXT = `GET /gateway/status HTTP/1.1\r\n${HOST}\r\n`;

it.each([
  ['a line without a version', `GET /gateway/status\r\n${HOST}\r\n`, 505],
  ['HTTP/0.9', `GET /gateway/status HTTP/0.9\r\n${HOST}\r\n`, 505],
  ['HTTP/2.0', `GET /gateway/status HTTP/2.0\r\n${HOST}\r\n`, 505],
  ['HTTP/1.2', `GET /gateway/status HTTP/1.2\r\n${HOST}\r\n`, 400],
  ['chunks in HTTP/1.0', `POST /api/v1/transactions HTTP/1.0\r\n${HOST}${CHUNKS}`, 400],
])('%s is refused, and what follows on the connection is not answered', async (_what, request, status) => {
  const answer = await answerTo(request + NEXT);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(answer).not.toContain('HTTP/1.1 200');
  expect(answer).toContain('"success":false');
});

it('HTTP/1.0 is answered', async () => {
  expect(await answerTo(`GET /gateway/status HTTP/1.0\r\n${HOST}\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
});
