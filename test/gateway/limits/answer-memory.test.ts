import type { Readable } from 'node:stream';
import { Client } from 'undici';
import { AnswerMemory } from '#gateway/upstream/answer-memory.js';
import { askNode } from '#gateway/upstream/node-request.js';
import { RecordingNode } from '../../../testkit/gateway/recording-node.js';
import { until } from '../../../testkit/until.js';

const BODY = Buffer.alloc(600_000, 'x');

class CountedMemory extends AnswerMemory {
  held = 0;

  override take(bytes: number, held: number): boolean {
    const taken = super.take(bytes, held);
    this.held += taken ? bytes : 0;
    return taken;
  }

  override release(bytes: number): void {
    super.release(bytes);
    this.held -= bytes;
  }
}

let node: RecordingNode;
let client: Client;

beforeEach(async () => {
  node = await RecordingNode.start('full', (_request, response) => void response.end(BODY));
  client = new Client(`http://127.0.0.1:${node.port}`);
});
afterEach(async () => {
  await client.destroy();
  await node.stop();
});

it.each([
  ['read late', (stream: Readable) => stream.toArray()],
  ['destroyed unread', async (stream: Readable) => void stream.destroy()],
])('the memory of a response that is %s is free again', async (_what, end) => {
  const memory = new CountedMemory();
  const request = { method: 'GET' as const, path: '/', headers: [] };
  const { body } = await askNode(client, request, { totalMs: 5000, maxBytes: BODY.length, memory });
  await until(() => memory.held > BODY.length / 2);
  await end(body as Readable);
  await until(() => memory.held === 0);
});
