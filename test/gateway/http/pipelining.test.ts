import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { GatewayFixture } from '../../../testkit/gateway/gateway-fixture.js';
import { RecordingNode, silence } from '../../../testkit/gateway/recording-node.js';
import { until } from '../../../testkit/time/until.js';

let fixture: GatewayFixture;
beforeAll(async () => {
  fixture = await GatewayFixture.open([]);
});
afterAll(() => fixture.close());

/** Sends the pieces. Returns the statuses that arrive until the gateway closes the connection. */
async function statusesFor(pieces: readonly string[], by = fixture): Promise<string[]> {
  const { hostname, port } = new URL(by.gateway.url);
  const socket = connect(Number(port), hostname).setNoDelay();
  let answer = '';
  socket.on('data', piece => {
    answer += piece;
  });
  // The gateway may have closed the connection; `once` would reject because of this error.
  socket.on('error', () => undefined);
  const closed = new Promise(resolve => socket.once('close', resolve));
  for (const piece of pieces) {
    socket.write(piece);
    await new Promise(setImmediate);
  }
  await closed;
  return [...answer.matchAll(/^HTTP\/1\.1 (\d+) /gm)].map(([, status = '']) => status);
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: gateway.test\r\n\r\n`;
const OWN = get('/gateway/status');
const CHAIN = get('/api/v1/node/info');
const CHUNKED =
  'POST /api/v1/transactions HTTP/1.1\r\nHost: gateway.test\r\nTransfer-Encoding: chunked\r\n\r\n';
const GARBAGE = '\0\x01 is no HTTP\r\n\r\n';

test.each<[string, string[], string[]]>([
  ['a request for a route of the gateway', [OWN + GARBAGE], ['200']],
  ['a request for a chain route', [CHAIN + GARBAGE], ['503']],
  ['a second request before the garbage', [OWN + CHAIN + GARBAGE], ['200']],
  ['garbage in many pieces', [OWN + GARBAGE, ...GARBAGE.repeat(20)], ['200']],
  ['a request with a broken body as the garbage', [`${OWN}${CHUNKED}xyz\r\n`], ['200']],
])('only the first request before garbage is answered: %s', async (_what, pieces, statuses) => {
  expect(await statusesFor(pieces)).toEqual(statuses);
});

test('a connection with more than 64 waiting requests ends, and none of them is answered', async () => {
  const slow = await GatewayFixture.open([await RecordingNode.start('full', silence)]);
  expect(await statusesFor([CHAIN + OWN.repeat(64)], slow)).toEqual([]);
  await slow.close();
});

test('garbage in many pieces does not accumulate listeners', async () => {
  let response: ServerResponse | undefined;
  let goOn = () => {};
  const extend = (app: FastifyInstance) => {
    app.addHook('onRequest', (_request, reply, done) => {
      response = reply.raw;
      goOn = done;
    });
  };
  const slow = await GatewayFixture.open([], {}, { extend });
  const pieces = [OWN + GARBAGE, ...'x'.repeat(50)];
  const statuses = statusesFor(pieces, slow);
  await until(() => response?.socket?.bytesRead === pieces.join('').length);
  expect(response!.listenerCount('finish')).toBeLessThan(10);
  goOn();
  expect(await statuses).toEqual(['200']);
  await slow.close();
});
