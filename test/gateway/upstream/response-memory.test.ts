import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Client } from 'undici';
import { Cancellation } from '#gateway/upstream/cancellation.js';
import { askNode, type NodeAnswer } from '#gateway/upstream/node-request.js';
import { type AnswerHolder, ResponseMemory } from '#gateway/upstream/response-memory.js';
import { type Answer, json, RecordingNode, reset } from '../../../testkit/gateway/recording-node.js';
import { until } from '../../../testkit/time/until.js';

const BODY = Buffer.alloc(600_000, 'x');
const PART = BODY.subarray(0, 400_000);

class CountedMemory extends ResponseMemory {
  held = 0;

  override take(holder: AnswerHolder, bytes: number): void {
    this.held += bytes;
    super.take(holder, bytes);
  }

  override release(holder: AnswerHolder): void {
    this.held -= holder.held;
    super.release(holder);
  }
}

describe('a response that a node sends', () => {
  let node: RecordingNode;
  let client: Client;

  beforeEach(async () => {
    node = await RecordingNode.start('full', (_request, response) => void response.end(BODY));
    client = new Client(`http://127.0.0.1:${node.port}`, { pipelining: 2 });
  });
  afterEach(async () => {
    await client.destroy();
    await node.stop();
  });

  function ask(memory: ResponseMemory, cancellation = new Cancellation()): Promise<NodeAnswer> {
    const limits = { totalMs: 20_000, maxBytes: 2 ** 40, memory, cancellation };
    return askNode(client, { method: 'GET', path: '/', headers: [] }, limits);
  }

  const sendPart: Answer = (_request, response) => {
    response.writeHead(200, { 'content-length': BODY.length });
    response.write(PART);
  };

  test.each<[string, Record<string, number>]>([
    ['announced', { 'content-length': BODY.length }],
    ['unknown', {}],
  ])('of %s length counts until it is complete', async (_length, headers) => {
    node.answer = (_request, response) => {
      response.writeHead(200, headers).write(PART);
      response.end(BODY.subarray(PART.length));
    };
    const memory = new CountedMemory();
    let most = 0;
    const counting = new Proxy(memory, {
      get: (target, name: keyof CountedMemory) => {
        most = Math.max(most, target.held);
        const value = target[name];
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const { body } = await ask(counting);
    expect(body.equals(BODY)).toBe(true);
    expect([most, memory.held]).toEqual([BODY.length, 0]);
  });

  test.each<[string, (cancellation: Cancellation) => void]>([
    ['its client leaves', cancellation => cancellation.cancel()],
    ['its node breaks it off', () => reset(undefined as never, undefined as never, socket)],
  ])('is released when %s', async (_when, end) => {
    const memory = new CountedMemory();
    const cancellation = new Cancellation();
    node.answer = (...all) => {
      [, , socket] = all;
      sendPart(...all);
    };
    const answer = ask(memory, cancellation);
    await until(() => memory.held === BODY.length);
    end(cancellation);
    await expect(answer).rejects.toThrow();
    expect(memory.held).toBe(0);
  });
  let socket: Parameters<Answer>[2];

  test('is given up if the memory is full and it is the largest', async () => {
    const memory = new CountedMemory(PART.length + 300_000);
    node.answer = sendPart;
    const largest = ask(memory);
    await until(() => memory.held === BODY.length);
    const other = new Client(`http://127.0.0.1:${node.port}`);
    node.answer = (_request, response) => void response.end(BODY.subarray(0, 350_000));
    const limits = { totalMs: 20_000, maxBytes: 2 ** 40, memory };
    const whole = askNode(other, { method: 'GET', path: '/', headers: [] }, limits);
    await expect(largest).rejects.toMatchObject({ kind: 'busy', sent: true });
    expect((await whole).body).toHaveLength(350_000);
    expect(memory.held).toBe(0);
    await other.destroy();
  });

  test('is completed if the memory is full and another response of this size came later', async () => {
    const memory = new CountedMemory(BODY.length + PART.length);
    let finish = () => {};
    node.answer = (request, response, ...rest) => {
      finish = () => void response.end(BODY.subarray(PART.length));
      sendPart(request, response, ...rest);
    };
    const first = ask(memory);
    await until(() => memory.held === BODY.length);
    node.answer = sendPart;
    const other = new Client(`http://127.0.0.1:${node.port}`);
    const limits = { totalMs: 20_000, maxBytes: 2 ** 40, memory };
    const later = askNode(other, { method: 'GET', path: '/', headers: [] }, limits);
    await expect(later).rejects.toMatchObject({ kind: 'busy' });
    finish();
    expect((await first).body.equals(BODY)).toBe(true);
    await other.destroy();
  });

  test.each([
    ['with the right length', `content-length: 200000\r\n\r\n${'x'.repeat(200_000)}`],
    ['in chunks of one byte', `transfer-encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(200_000)}0\r\n\r\n`],
  ])('arrives whole %s', async (_how, rest) => {
    node.answer = (_request, { socket: to }) =>
      void to!.end(`HTTP/1.1 200 OK\r\nconnection: close\r\n${rest}`);
    const { body } = await ask(new ResponseMemory());
    expect([body.length, body.every(byte => byte === 0x78)]).toEqual([200_000, true]);
  });

  test('leaves its connection free for the next request', async () => {
    await ask(new ResponseMemory());
    node.answer = json(200, {});
    expect((await ask(new ResponseMemory())).body.toString()).toBe('{}');
    expect(node.received.map(({ connection }) => connection)).toEqual([0, 0]);
  });
});

describe('a response for a client', () => {
  const LONG = Buffer.alloc(16_000_000, 'x');
  let memory: CountedMemory;
  let begun: ServerResponse[];
  const server = createServer((_request, response) => {
    begun.push(response);
    memory.takeUntilSent(LONG.length, response);
    response.end(LONG);
  });
  /** Returns a client that asks and reads nothing. */
  const askWithoutReading = async () => {
    const { length } = begun;
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
    client.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await until(() => begun.length > length);
    return client;
  };

  beforeEach(async () => {
    begun = [];
    if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(() => void server.close().closeAllConnections());

  test('counts until the client has read it or has left', async () => {
    memory = new CountedMemory();
    const [reader, leaver] = [await askWithoutReading(), await askWithoutReading()];
    expect(memory.held).toBe(2 * LONG.length);
    reader.resume();
    await until(() => memory.held === LONG.length);
    leaver.destroy();
    await until(() => memory.held === 0);
  });

  test('does not count if the client has already left', async () => {
    memory = new CountedMemory();
    const leaver = await askWithoutReading();
    leaver.destroy();
    await until(() => memory.held === 0);
    memory.takeUntilSent(10, begun[0]!);
    expect(memory.held).toBe(0);
  });

  test('is cut off if the memory is full and it is the largest', async () => {
    memory = new CountedMemory(2 * LONG.length);
    const clients = [await askWithoutReading(), await askWithoutReading(), await askWithoutReading()];
    expect(begun.map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
    expect(memory.held).toBe(2 * LONG.length);
    const lengths = await Promise.all(
      clients.slice(1).map(async client => {
        let length = 0;
        for await (const piece of client as AsyncIterable<Buffer>) length += piece.length;
        return length;
      }),
    );
    for (const length of lengths) expect(length).toBeGreaterThan(LONG.length);
    clients[0]!.destroy();
    await until(() => memory.held === 0);
  });
});
