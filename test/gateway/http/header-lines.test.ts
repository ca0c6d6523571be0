import { VIA } from '#gateway/proxy/request-headers.js';
import { GatewayFixture } from '../../../testkit/gateway/gateway-fixture.js';
import { sendRaw } from '../../../testkit/gateway/raw-request.js';
import { RecordingNode } from '../../../testkit/gateway/recording-node.js';

const BODY = '{"version":1}';
const GET = 'GET /api/v1/tokens HTTP/1.1\r\nHost: gateway.test\r\nConnection: close\r\n';
const POST = 'POST /api/v1/transactions HTTP/1.1\r\nHost: gateway.test\r\nConnection: close\r\n';
const BODY_LINES = `Content-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;

const CASES = [
  ['a second Host', GET, 'Host: other.test\r\n\r\n', 400],
  ['an upgrade', GET, 'Upgrade: websocket\r\n\r\n', 400],
  ['a loop', GET, `Via: ${VIA}\r\n\r\n`, 508],
  ['the length of a body', POST, BODY_LINES, 200],
  ['a second length', POST, `Transfer-Encoding: chunked\r\n${BODY_LINES}`, 400],
] as const;

let fixture: GatewayFixture;

beforeEach(async () => {
  fixture = await GatewayFixture.open([await RecordingNode.start('full')]);
});
afterEach(() => fixture.close());

test.each(CASES)('%s after 200 header lines is read', async (_what, head, rest, status) => {
  expect((await sendRaw(fixture.gateway.url, `${head}${'a:\r\n'.repeat(200)}${rest}`)).status).toBe(status);
  expect(fixture.nodes[0]!.received.map(({ body }) => body)).toEqual(status === 200 ? [BODY] : []);
});

test.each([254, 990, 1000, 1010, 1990, 2000, 2010, 4000])(
  'more than 256 header lines, %i of them unknown, are rejected',
  async count => {
    for (const [what, head, rest] of CASES) {
      const { status } = await sendRaw(fixture.gateway.url, `${head}${'a:\r\n'.repeat(count)}${rest}`);
      expect([what, status]).toEqual([what, what === 'a second length' ? 400 : 431]);
    }
    expect(fixture.nodes[0]!.asked).toEqual([]);
  },
);
