import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { GatewayFixture } from '../../../testkit/gateway/gateway-fixture.js';
import { type Answer, json, RecordingNode } from '../../../testkit/gateway/recording-node.js';

let fixture: GatewayFixture;
afterEach(() => fixture.close());

/** A node that does not answer until `respond` is called. It keeps the connection of the request. */
class SilentNode {
  socket!: Socket;
  respond!: () => void;
  readonly answer: Answer = (request, response, socket) => {
    this.socket = socket;
    this.respond = () => json(202, { status: 'success' })(request, response, socket);
  };
}

/** Returns a client that has sent a request and waits for the answer. */
async function ask(head: string, asked: RecordingNode): Promise<Socket> {
  const client = connect(Number(new URL(fixture.gateway.url).port), '127.0.0.1');
  client.write(head);
  while (asked.received.length === 0) await nextTurn();
  return client;
}

/** Resolves once the gateway has noticed that its client is gone. */
function departure(): Promise<void> {
  return new Promise(resolve => {
    fixture.gateway.context.answers.listen(({ status }) => status === 499 && resolve());
  });
}

function nextTurn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}

/** Long time limits, which must not end a request before the client leaves. */
const PATIENT = { timeouts: { connectMs: 2000, answerMs: 600_000, pieceMs: 600_000 } };

const GET = (host: string) => `GET /api/v1/blocks?wait_ms=10000 HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
const POST = 'POST /api/v1/transactions HTTP/1.1\r\nHost: gateway.test\r\nContent-Length: 2\r\n\r\n{}';

test.each([
  ['the gateway', () => 'gateway.test'],
  ['one node', ({ port }: RecordingNode) => `ip-127-0-0-1-p${port}.gateway.test`],
])(
  'the departure of a client that has asked %s ends its read, and does not count as a failure of the node',
  async (_whom, hostOf) => {
    const silent = new SilentNode();
    const [archival, full] = [
      await RecordingNode.start('archival', silent.answer),
      await RecordingNode.start('full'),
    ];
    fixture = await GatewayFixture.open([archival, full], PATIENT);
    const client = await ask(GET(hostOf(archival)), archival);
    const ended = once(silent.socket, 'close');
    client.destroy();
    await ended;
    const { nodes, traffic } = fixture.gateway.context;
    expect(full.asked).toEqual([]);
    expect(traffic.countsOf(nodes.find(archival)!)).toEqual({ requests: 1, failures: 0 });
    expect(nodes.routed('archival')).toHaveLength(1);
    expect(archival.checks).toBe(1);
  },
);

test('the departure of a client does not cancel a broadcast, because the node may have accepted it', async () => {
  const silent = new SilentNode();
  const node = await RecordingNode.start('full', silent.answer);
  fixture = await GatewayFixture.open([node]);
  const client = await ask(POST, node);
  const departed = departure();
  client.resetAndDestroy();
  await departed;
  // If the gateway had closed the connection, the node would have noticed that before it answered this check.
  await fixture.gateway.context.nodes.refresh();
  expect(silent.socket.destroyed).toBe(false);
  silent.respond();
  await once(silent.socket, 'close');
  expect(node.asked).toEqual(['POST /api/v1/transactions']);
});
