import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { fromHex } from '@zbc-signer/chain';
import { type ConfirmOptions, confirmTransaction, type FlowEvent, GatewayClient } from '@zbc-signer/host';
import { readEvents } from '#host/gateway/event-stream.js';

const HASH = 'ab'.repeat(32);
const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n';
const json = (status: string) => `{"status":"${status}","transaction_hash":"${HASH}","block_height":12}`;
const event = (status: string) => `event: status\nid: ${status}\ndata: ${json(status)}\n\n`;
const plain = (text: string, head = '') =>
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${head}Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`;
const MEMPOOL = `: hello\n\n${event('mempool')}`;
const WHOLE = `${MEMPOOL}:\n\n${event('confirmed')}`;

type Reply = (socket: Socket, request: IncomingMessage) => void;

/** Ends the connection after these bytes. */
const bytes =
  (text: string): Reply =>
  socket =>
    socket.end(text);
const STATUS_REPLY = bytes(plain('{"height":12}'));

let server: Server;
let url: string;
let asked: IncomingMessage[];
/** For requests of the status that accept events, and those that do not; the last one repeats. */
let streams: Reply[];
let polls: Reply[];
/** Connections of streams that the client closed. */
let closed: number;

beforeEach(async () => {
  [asked, streams, polls, closed] = [[], [bytes(HEAD + WHOLE)], [bytes(plain(json('confirmed')))], 0];
  server = createServer((request, response) => {
    asked.push(request);
    const { socket } = request;
    response.detachSocket(socket as Socket);
    const isStatus = request.url?.endsWith('/status') && request.url.includes(HASH);
    const replies = request.headers.accept === 'text/event-stream' ? streams : polls;
    const reply = isStatus ? (replies.length > 1 ? replies.shift() : replies[0]) : STATUS_REPLY;
    socket.on('error', () => undefined);
    socket.once('close', () => (closed += 1));
    reply?.(socket as Socket, request);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const clock = { now: () => 0, sleep: async () => undefined };

async function confirm(options: Partial<ConfirmOptions> = {}) {
  const stages: string[] = [];
  const onProgress = (progress: FlowEvent) => void (progress.step === 'stage' && stages.push(progress.stage));
  const submitted = { transactionHash: fromHex(HASH) } as Parameters<typeof confirmTransaction>[0];
  const outcome = await confirmTransaction(submitted, {
    gateway: new GatewayClient(url),
    clock,
    onProgress,
    ...options,
  });
  return { stages, outcome, statuses: asked.filter(request => request.url?.includes(HASH)) };
}

it('waits on the stream of a gateway that has one, and asks nothing else meanwhile', async () => {
  const { stages, outcome, statuses } = await confirm();
  expect([outcome.status, outcome.blockHeight]).toEqual(['confirmed', 12n]);
  expect(stages).toEqual(['mempool', 'confirmed']);
  expect(statuses).toHaveLength(1);
});

it('polls a gateway that has none, with one request for each status', async () => {
  streams = ['staging', 'mempool', 'confirmed'].map(status => bytes(plain(json(status))));
  const { stages, statuses } = await confirm();
  expect(stages).toEqual(['staging', 'mempool', 'confirmed']);
  expect(statuses).toHaveLength(3);
});

it('asks once, for no events, where it does not wait', async () => {
  polls = [bytes(plain(json('mempool')))];
  const { outcome, statuses } = await confirm({ waitsForConfirmation: false });
  expect(outcome.status).toBe('mempool');
  expect(statuses.map(({ headers }) => headers.accept)).toEqual([expect.not.stringContaining('event')]);
});

it('ends with the right status when the stream breaks off at any byte', async () => {
  const whole = HEAD + WHOLE;
  for (let cut = 0; cut <= whole.length; cut += 1) {
    asked = [];
    streams = [bytes(whole.slice(0, cut)), bytes(HEAD + event('confirmed'))];
    polls = [bytes(plain(json('confirmed')))];
    const { outcome, stages, statuses } = await confirm();
    expect(outcome.status).toBe('confirmed');
    expect([['confirmed'], ['mempool', 'confirmed']]).toContainEqual(stages);
    expect(statuses.length).toBe(cut === whole.length ? 1 : 2);
  }
});

const big = 'x'.repeat(100_000);
it.each<[string, string]>([
  ['a line without an end', big],
  ['comments without an end', ':\n'.repeat(100_000)],
  ['an event without an end', 'data: x\n'.repeat(100_000)],
  ['events of other kinds alone', `event: block\nid: 1\ndata: ${json('confirmed')}\n\n`],
  ['no event', ':\n\n'],
  ['nothing', ''],
  ['no JSON', 'event: status\ndata: {\n\n'],
  ['an array', 'event: status\ndata: []\n\n'],
  ['another hash', event('confirmed').replaceAll(HASH, 'cd'.repeat(32))],
  ['bytes that are no UTF-8', 'event: status\ndata: \xff\xfe\n\n'],
])('polls after a stream of %s', async (_, stream) => {
  streams = [bytes(HEAD + stream)];
  polls = [bytes(plain(json('mempool'))), bytes(plain(json('confirmed')))];
  const { stages, statuses } = await confirm();
  expect(stages).toEqual(['mempool', 'confirmed']);
  expect(statuses.map(({ headers }) => headers.accept === 'text/event-stream')).toEqual([true, false, false]);
});

it.each([503, 502, 504, 500])('polls after the answer %d', async status => {
  streams = [bytes(`HTTP/1.1 ${status} X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)];
  expect((await confirm()).stages).toEqual(['confirmed']);
});

it('goes on asking for events while the chain does not know the hash', async () => {
  const body = '{"success":false,"error":"Transaction not found","code":404}';
  streams = [bytes(plain(body).replace('200 OK', '404 X')), bytes(HEAD + WHOLE)];
  const { stages, statuses } = await confirm();
  expect(stages).toEqual(['mempool', 'confirmed']);
  expect(statuses).toHaveLength(2);
});

it('polls when a stream stays silent for as long as an answer may take', async () => {
  streams = [socket => socket.write(HEAD + MEMPOOL)];
  const gateway = new GatewayClient(url, { timeoutMs: 100 });
  expect((await confirm({ gateway })).outcome.status).toBe('confirmed');
});

it('takes any byte for a sign of life', async () => {
  const timeoutMs = 12_345;
  const { setTimeout } = globalThis;
  let started = 0;
  globalThis.setTimeout = Object.assign((...[run, ms]: Parameters<typeof setTimeout>) => {
    if (ms === timeoutMs) started += 1;
    return setTimeout(run, ms);
  }, setTimeout);
  try {
    const chunks = [':', '\n', event('confirmed')].map(text => Buffer.from(text));
    const body = new ReadableStream({
      pull: controller => {
        const chunk = chunks.shift();
        if (chunk === undefined) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const headers = { 'content-type': 'text/event-stream' };
    const client = new GatewayClient(url, { timeoutMs, fetch: async () => new Response(body, { headers }) });
    for await (const status of client.followStatus(fromHex(HASH))) expect(status.stage).toBe('confirmed');
    expect([started, chunks]).toEqual([4, []]);
  } finally {
    globalThis.setTimeout = setTimeout;
  }
});

it('gives up when the time for a confirmation is over, and leaves', async () => {
  const real = { now: () => performance.now(), sleep: clock.sleep };
  streams = [
    socket => {
      socket.write(HEAD + MEMPOOL);
      const timer = setInterval(() => socket.write(':\n'), 20);
      socket.once('close', () => clearInterval(timer));
    },
  ];
  polls = [bytes(plain(json('mempool')))];
  await expect(confirm({ confirmationTimeoutMs: 1000, clock: real })).rejects.toMatchObject({
    code: 'NOT_CONFIRMED',
    facts: { sent: 'yes' },
  });
  while (closed < asked.length) await new Promise(setImmediate);
});

it('leaves a stream at an abort', async () => {
  const abort = new AbortController();
  streams = [socket => socket.write(HEAD + MEMPOOL)];
  const onProgress = () => abort.abort();
  await expect(confirm({ signal: abort.signal, onProgress })).rejects.toMatchObject({
    code: 'SUBMISSION_INTERRUPTED',
  });
  while (closed < asked.length) await new Promise(setImmediate);
});

describe('the reader of streams', () => {
  const read = async (...chunks: Uint8Array[]) => {
    const events: unknown[] = [];
    async function* source() {
      yield* chunks;
    }
    for await (const each of readEvents(source())) events.push(each);
    return events;
  };

  it.each(['\n', '\r', '\r\n'])(
    'finds the same in any two pieces, with lines that end with %j',
    async end => {
      const text = [
        '﻿: note',
        'event: status',
        'id: é',
        'id:7',
        'data: {"a":',
        'data:"ü"}',
        'retry',
        '',
        'data: x',
        '',
        'data: cut',
      ];
      const all = Buffer.from(text.join(end) + end);
      const expected = [
        { type: 'status', data: '{"a":"ü"}' },
        { type: '', data: 'x' },
      ];
      for (let cut = 0; cut <= all.length; cut += 1) {
        expect(await read(all.subarray(0, cut), all.subarray(cut))).toEqual(expected);
      }
      expect(await read(...[...all].map(byte => Uint8Array.of(byte)))).toEqual(expected);
    },
  );
});

describe('the height that was seen', () => {
  it('goes with every later read, the greatest that a response told of', async () => {
    const told = ['7', '9', '8', '1e3', '-1', '99999999999999999999', '', '12'];
    const seen: (string | undefined)[] = [];
    const client = new GatewayClient(url);
    for (const height of told) {
      polls = [bytes(plain(json('mempool'), `zbc-height: ${height}\r\n`))];
      await client.transactionStatus(fromHex(HASH));
      seen.push(asked.at(-1)!.headers['zbc-height'] as string | undefined);
    }
    expect(seen).toEqual([undefined, '7', '9', '9', '9', '9', '9', '9']);
    await client.faucet('A').catch(() => undefined);
    expect([asked.at(-1)!.method, asked.at(-1)!.headers['zbc-height']]).toEqual(['POST', undefined]);
    await client.blockchainStatus().catch(() => undefined);
    expect(asked.at(-1)!.headers['zbc-height']).toBe('12');
    expect(
      await new GatewayClient(url).blockchainStatus().catch(() => asked.at(-1)!.headers),
    ).not.toHaveProperty('zbc-height');
  });
});
