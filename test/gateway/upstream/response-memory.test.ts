import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { Client } from 'undici';
import { askNode } from '#gateway/upstream/node-request.js';
import { ResponseMemory, type SlowResponse } from '#gateway/upstream/response-memory.js';
import { RecordingNode } from '../../../testkit/gateway/recording-node.js';
import { until } from '../../../testkit/time/until.js';

const BODY = Buffer.alloc(600_000, 'x');

class CountedMemory extends ResponseMemory {
  held = 0;

  override take(holder: SlowResponse, bytes: number): void {
    this.held += bytes;
    super.take(holder, bytes);
  }

  override release(holder: SlowResponse, bytes: number): void {
    super.release(holder, bytes);
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

const REQUEST = { method: 'GET' as const, path: '/', headers: [] };

async function ask(memory: ResponseMemory, onEnd = () => {}): Promise<Readable> {
  const limits = { totalMs: 5000, maxBytes: BODY.length, memory, onEnd };
  return (await askNode(client, REQUEST, limits)).body as Readable;
}

/**
 * Whether a response is read whole. Jest's comparison of so many bytes takes seconds, after which the node has
 * closed its idle connection.
 */
const isWhole = async (body: Readable) => Buffer.concat(await body.toArray()).equals(BODY);

test.each([
  ['read late', (stream: Readable) => stream.toArray()],
  ['destroyed unread', async (stream: Readable) => void stream.destroy()],
])('the memory of a response that is %s is released', async (_what, end) => {
  const memory = new CountedMemory();
  const body = await ask(memory);
  await until(() => memory.held > BODY.length / 2);
  await end(body);
  await until(() => memory.held === 0);
});

test('a response that is not yet read releases its connection, and is complete when it is read', async () => {
  const memory = new CountedMemory();
  let isEnded = false;
  const body = await ask(memory, () => {
    isEnded = true;
  });
  await until(() => isEnded);
  // A second request shows that the client's only connection is free.
  expect(await isWhole(await ask(memory))).toBe(true);
  expect(await isWhole(body)).toBe(true);
  await until(() => memory.held === 0);
});

test('an answer in chunks of one byte is passed on in larger pieces, whether it is read at once or late', async () => {
  const length = 200_000;
  const head = 'HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n';
  const answer = `${head}${'1\r\nx\r\n'.repeat(length)}0\r\n\r\n`;
  node.answer = (_request, { socket }) => void socket!.end(answer);
  const memory = new CountedMemory();
  for (const isLate of [false, true]) {
    const body = await ask(memory);
    if (isLate) await until(() => memory.held > length / 2);
    const pieces: Buffer[] = [];
    body.on('data', piece => pieces.push(piece));
    await once(body, 'end');
    expect(Buffer.concat(pieces)).toHaveLength(length);
    expect(pieces.length).toBeLessThan(length / 20);
  }
});

test('when the memory is full, the response that holds the most is cut off, and responses that are read continue', async () => {
  const memory = new CountedMemory(700_000);
  const unread = [await ask(memory), await ask(memory)];
  await until(() => unread.filter(stream => stream.destroyed).length === 1);
  for (let count = 0; count < 3; count += 1) {
    expect(await isWhole(await ask(memory))).toBe(true);
  }
  expect(memory.held).toBeLessThanOrEqual(700_000);
  for (const stream of unread) stream.destroy();
  await until(() => memory.held === 0);
});
