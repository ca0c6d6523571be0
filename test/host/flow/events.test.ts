import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fromHex } from '@zbc-signer/chain';
import {
  type Clock,
  type ConfirmOptions,
  confirmTransaction,
  type FlowEvent,
  GatewayClient,
} from '@zbc-signer/host';
import { until } from '../../../testkit/time/until.js';

const HASH = 'ab'.repeat(32);
const json = (status: string) => `{"transaction_hash":"${HASH}","status":"${status}","block_height":12}`;
const event = (status: string) => `event: status\nid: ${status}\ndata: ${json(status)}\n\n`;
const answer = (text: string, status = 200, type = 'application/json', length = text.length) =>
  `HTTP/1.1 ${status} X\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${text}`;
const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n';
const MEMPOOL = `${HEAD}:\n\n${event('mempool')}`;
const WHOLE = `${MEMPOOL}:\n\n${event('confirmed')}`;

type Reply = (socket: Socket) => void;
const bytes =
  (text: string): Reply =>
  socket =>
    socket.end(text);
const open =
  (text: string): Reply =>
  socket =>
    void socket.write(text);

let server: Server;
let url: string;
/** Requests so far: polls of the status, and streams of events. */
let asked: ('poll' | 'stream')[];
/** Replies by kind of request. The last reply of each kind repeats. */
let replies: { poll: Reply[]; stream: Reply[] };
let openStreams: Set<Socket>;

beforeEach(async () => {
  asked = [];
  openStreams = new Set();
  replies = { poll: ['mempool', 'confirmed'].map(polled), stream: [bytes(WHOLE)] };
  server = createServer((request, response) => {
    const socket = request.socket;
    response.detachSocket(socket);
    socket.on('error', () => undefined);
    if (!request.url?.endsWith(`/${HASH}/status`)) {
      socket.end(answer('{"height":12}'));
      return;
    }
    const kind = request.headers.accept === 'text/event-stream' ? 'stream' : 'poll';
    asked.push(kind);
    if (kind === 'stream') {
      openStreams.add(socket);
      socket.once('close', () => openStreams.delete(socket));
    }
    const left = replies[kind];
    const reply = left.length > 1 ? left.shift() : left[0];
    reply?.(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  for (const socket of openStreams) socket.destroy();
  server.close();
  await once(server, 'close');
});

const polled = (status: string): Reply => bytes(answer(json(status)));
const count = (kind: 'poll' | 'stream') => asked.filter(each => each === kind).length;

/** A clock whose pauses end at once, but not before waiting connections have proceeded. */
class FastClock {
  #now = 0;
  readonly pauses: number[] = [];
  now = () => this.#now;
  sleep: Clock['sleep'] = async (durationMs, signal) => {
    this.pauses.push(durationMs);
    await new Promise(resolve => setTimeout(resolve, 2));
    signal?.throwIfAborted();
    this.pass(durationMs);
  };
  pass(durationMs: number): void {
    this.#now += durationMs;
  }
}

/** A client that counts its open streams. */
class CountingClient extends GatewayClient {
  listening = 0;
  override async hearsConfirmed(...request: Parameters<GatewayClient['hearsConfirmed']>) {
    this.listening += 1;
    try {
      return await super.hearsConfirmed(...request);
    } finally {
      this.listening -= 1;
    }
  }
}

/** A FastClock whose pauses last until no stream is open. */
class PatientClock extends FastClock {
  constructor(readonly gateway: CountingClient) {
    super();
  }
  override sleep: Clock['sleep'] = async durationMs => {
    this.pauses.push(durationMs);
    await until(() => this.gateway.listening === 0);
    this.pass(durationMs);
  };
}

/** A stopped clock. A pause ends only when its signal aborts. */
const STILL = {
  now: () => 0,
  sleep: (_: number, signal?: AbortSignal) =>
    new Promise<void>((_resolve, reject) => {
      const stop = () => reject(new Error('stopped'));
      if (signal?.aborted) stop();
      signal?.addEventListener('abort', stop);
    }),
};

async function confirm(options: Partial<ConfirmOptions> = {}) {
  const stages: string[] = [];
  const submitted = { transactionHash: fromHex(HASH), sent: 'yes' } as Parameters<
    typeof confirmTransaction
  >[0];
  const clock = new FastClock();
  const { status, blockHeight } = await confirmTransaction(submitted, {
    gateway: new GatewayClient(url),
    clock,
    onProgress: (progress: FlowEvent) => void (progress.step === 'stage' && stages.push(progress.stage)),
    ...options,
  });
  return { status, blockHeight, stages, pauses: clock.pauses };
}

const CONFIRMED = { status: 'confirmed', blockHeight: 12n, stages: ['mempool', 'confirmed'] };

describe('a confirmation that an event reports', () => {
  test('ends the pause, and the next poll decides', async () => {
    expect(await confirm({ clock: STILL })).toMatchObject(CONFIRMED);
    expect(asked).toEqual(['poll', 'stream', 'poll']);
  });

  test.each([
    ['in small pieces', WHOLE.match(/.{1,7}|\s/g) ?? []],
    ['byte by byte', [...WHOLE]],
    ['with other line endings', [HEAD, WHOLE.slice(HEAD.length).replaceAll('\n', '\r\n')]],
    [
      'after events of other kinds',
      [HEAD, `event: block\nid: 1\ndata: {"height":1}\n\n`, event('confirmed')],
    ],
  ])('is noticed %s', async (_, pieces) => {
    replies.stream = [
      async socket => {
        for (const piece of pieces) {
          socket.write(piece);
          await new Promise(setImmediate);
        }
      },
    ];
    expect(await confirm({ clock: STILL })).toMatchObject(CONFIRMED);
    await until(() => openStreams.size === 0);
  });

  test('is not missed while the status is being requested', async () => {
    let sleeps = 0;
    const clock = {
      now: STILL.now,
      sleep: (ms: number, signal?: AbortSignal) => {
        sleeps += 1;
        return sleeps === 1 ? until(() => openStreams.size === 1) : STILL.sleep(ms, signal);
      },
    };
    replies.stream = [open(HEAD)];
    replies.poll.splice(1, 0, async socket => {
      for (const stream of openStreams) stream.write(event('confirmed'));
      await until(() => openStreams.size === 0);
      socket.end(answer(json('mempool')));
    });
    expect(await confirm({ clock })).toMatchObject(CONFIRMED);
    expect([sleeps, asked]).toEqual([2, ['poll', 'stream', 'poll', 'poll']]);
  });

  test.each<[string, string, number?]>([
    ['of this transaction', WHOLE],
    ['of another transaction', WHOLE.replaceAll(HASH, 'cd'.repeat(32))],
    ['repeated a thousand times', HEAD + event('confirmed').repeat(1000)],
    ['outside of an event', `${HEAD}: "status":"confirmed"`],
    ['after a while', WHOLE, 50],
  ])('causes no more than one early poll if it is a lie: %s', async (_, lie, afterMs = 0) => {
    const late: Reply = async socket => {
      socket.write(lie.slice(0, HEAD.length));
      await pause(afterMs);
      socket.end(lie.slice(HEAD.length));
    };
    replies = { poll: [polled('mempool')], stream: [late] };
    const options = { confirmationTimeoutMs: 60_000 };
    await expect(confirm(options)).rejects.toMatchObject({ code: 'NOT_CONFIRMED' });
    const withLies = count('poll');
    expect(count('stream')).toBe(1);
    asked = [];
    replies.stream = [bytes(answer('', 406))];
    await expect(confirm(options)).rejects.toMatchObject({ code: 'NOT_CONFIRMED' });
    expect([withLies, withLies - 1]).toContain(count('poll'));
  });
});

describe('events are not requested', () => {
  test('if nobody waits for the confirmation', async () => {
    expect(await confirm({ waitsForConfirmation: false })).toMatchObject({ status: 'mempool' });
    expect(asked).toEqual(['poll']);
  });

  test('if the transaction is already confirmed', async () => {
    replies.poll = [polled('confirmed')];
    expect(await confirm()).toMatchObject({ status: 'confirmed' });
    expect(asked).toEqual(['poll']);
  });

  test('while the chain does not know the hash or the gateway does not answer', async () => {
    const unknown = answer('{"success":false,"error":"Transaction not found","code":404}', 404);
    replies.poll = [bytes(unknown), bytes(answer('', 503)), bytes(''), polled('confirmed')];
    expect(await confirm()).toMatchObject({ status: 'confirmed' });
    expect(count('stream')).toBe(0);
  });

  test('for more than one wait of a client at the same time', async () => {
    replies = { poll: [polled('mempool')], stream: [open(MEMPOOL)] };
    const gateway = new GatewayClient(url);
    const waits = Array.from({ length: 7 }, () => confirm({ gateway }));
    await until(() => count('stream') === 1 && count('poll') > 30);
    replies.poll = [polled('confirmed')];
    expect(await Promise.all(waits)).toHaveLength(7);
    expect(count('stream')).toBe(1);
    await until(() => openStreams.size === 0);
  });

  test.each<[string, number, Reply]>([
    ['answered with the status itself', 1, bytes(answer(json('mempool')))],
    ['answered with an HTML page', 1, bytes(answer('<p>', 200, 'text/html'))],
    ['answered with an HTML page that never ends', 1, open(answer('<p>', 200, 'text/html', 1_000_000))],
    ['answered with 429, as for too many requests', 3, bytes(answer('', 429))],
    ['answered with events', 3, bytes(MEMPOOL)],
  ])('by a later wait of a client whose first was %s', async (_, streams, reply) => {
    const gateway = new CountingClient(url);
    for (let wait = 0; wait < 3; wait += 1) {
      replies = { poll: ['mempool', 'mempool', 'confirmed'].map(polled), stream: [reply] };
      const clock = new PatientClock(gateway);
      expect(await confirm({ gateway, clock })).toMatchObject(CONFIRMED);
    }
    expect(count('stream')).toBe(streams);
  });
});

/** The pauses between polls if there are no events, in milliseconds. */
const PAUSES = [125, 250, 500, 1000, 1000, 1000];
const POLLS = [...Array(6).fill('mempool'), 'confirmed'].map(polled);

const big = 'x'.repeat(100_000);
const flood: Reply = socket => {
  const timer = setInterval(() => socket.write(':\n\n'.repeat(1000)), 1);
  socket.write(HEAD);
  socket.once('close', () => clearInterval(timer));
};
const STAY: [string, Reply][] = [
  ['nothing', open('')],
  ['a head', open(HEAD)],
  ['an event', open(MEMPOOL)],
  ['an event that is not JSON', open(`${HEAD}event: status\ndata: {\n\n`)],
  [
    'bytes that are not UTF-8',
    socket => void socket.write(Buffer.from(`${HEAD}data: \xff\xfe\n\n`, 'latin1')),
  ],
];
const END: [string, Reply][] = [
  ['an event', bytes(MEMPOOL)],
  ['a line without an end', open(HEAD + big)],
  ['comments without an end', flood],
  ['an event without an end', open(HEAD + 'data: x\n'.repeat(20_000))],
  ['the status as JSON instead of events', bytes(answer(json('confirmed')))],
  ['an HTML page', bytes(answer('<p>"status":"confirmed"</p>', 200, 'text/html'))],
  ['an HTML page that never ends', open(answer(json('confirmed'), 200, 'text/html', 1_000_000))],
  ...[204, 302, 400, 404, 405, 406, 429, 500, 502, 503, 504].map((status): [string, Reply] => [
    `the status ${status}`,
    bytes(answer('', status)),
  ]),
  ['no answer', bytes('')],
  ['half a head', bytes(HEAD.slice(0, 30))],
  ['an answer that is not HTTP', bytes('SSH-2.0-x\r\n\r\n')],
  ['half a stream', bytes(`${HEAD.replace('Connection: close', 'Content-Length: 1000')}:\n\n`)],
];

describe('the client polls as without events, and requests events only once, if it receives', () => {
  test.each(STAY)('%s on a stream that stays open', async (_, reply) => {
    replies = { poll: [...POLLS], stream: [reply] };
    expect(await confirm()).toEqual({ ...CONFIRMED, pauses: PAUSES });
    expect([count('poll'), count('stream')]).toEqual([POLLS.length, 1]);
    await until(() => openStreams.size === 0);
  });

  test.each(END)('%s', async (_, reply) => {
    replies = { poll: [...POLLS], stream: [reply] };
    const gateway = new CountingClient(url);
    const clock = new PatientClock(gateway);
    expect(await confirm({ gateway, clock })).toMatchObject(CONFIRMED);
    expect(clock.pauses).toEqual(PAUSES);
    expect([count('poll'), count('stream')]).toEqual([POLLS.length, 1]);
    await until(() => openStreams.size === 0);
  });
});

test('the status is right wherever the stream breaks off', async () => {
  for (let cut = 0; cut <= WHOLE.length; cut += 13) {
    replies = { poll: ['mempool', 'confirmed'].map(polled), stream: [bytes(WHOLE.slice(0, cut))] };
    expect(await confirm()).toMatchObject(CONFIRMED);
  }
});

test('a new stream is opened when the stream reaches the time limit of a request', async () => {
  const poll: Reply = socket => polled(count('stream') < 3 ? 'mempool' : 'confirmed')(socket);
  replies = { poll: [poll], stream: [open(MEMPOOL)] };
  const gateway = new GatewayClient(url, { timeoutMs: 500 });
  expect(await confirm({ gateway, confirmationTimeoutMs: 2 ** 40 })).toMatchObject(CONFIRMED);
});

test.each([3, 9])('a new stream is opened when the stream ended before poll %i or later', async at => {
  const poll: Reply = socket => {
    if (count('poll') >= at && count('stream') === 1) for (const stream of openStreams) stream.end();
    polled(count('stream') < 2 ? 'mempool' : 'confirmed')(socket);
  };
  replies = { poll: [poll], stream: [open(MEMPOOL)] };
  expect(await confirm({ confirmationTimeoutMs: 2 ** 40 })).toMatchObject(CONFIRMED);
});

test.each(['open', 'ending'])(
  'an abort during the pause between two polls ends the wait, with a stream that is %s',
  async kind => {
    const leave = new AbortController();
    replies.poll = [polled('mempool')];
    replies.stream = [kind === 'open' ? open(MEMPOOL) : bytes(MEMPOOL)];
    const clock = {
      now: STILL.now,
      sleep: async (ms: number, signal?: AbortSignal) => {
        await until(() => count('stream') === 1);
        leave.abort();
        await STILL.sleep(ms, signal);
      },
    };
    const failure = { code: 'SUBMISSION_INTERRUPTED', facts: { sent: 'yes' } };
    await expect(confirm({ clock, signal: leave.signal })).rejects.toMatchObject(failure);
    await until(() => openStreams.size === 0);
  },
);
