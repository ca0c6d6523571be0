import { once } from 'node:events';
import { promisify } from 'node:util';
import { until } from '../../../../testkit/until.js';
import { Http2Server } from './http2-server.js';
import {
  block,
  CONTINUATION,
  DATA,
  END_HEADERS,
  END_STREAM,
  type Field,
  frame,
  GET,
  GOAWAY,
  HEADERS,
  PADDED,
  PING,
  PRIORITY,
  PUSH_PROMISE,
  RawSession,
  RST_STREAM,
  repeatedField,
  SETTINGS,
  WINDOW_UPDATE,
  withFields,
} from './raw-session.js';

const PROTOCOL_ERROR = 1;
const INTERNAL_ERROR = 2;
const CANCEL = 8;
const ENHANCE_YOUR_CALM = 11;
const INITIAL_WINDOW_SIZE = 4;
const POST = withFields({ ':method': 'POST' });
/** The header lines of a request whose fields are those of GET. */
const PLAIN = ['host', 'gateway.test', 'connection', 'close'];
/** More than a session may waste. */
const MANY = 300;

const code = (number: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
};

const each = (count: number, of: (index: number) => Buffer) =>
  Buffer.concat(Array.from({ length: count }, (_, index) => of(index)));

const trailers = (stream: number) =>
  frame(HEADERS, END_STREAM | END_HEADERS, stream, block([['x-trailer', '1']]));

/** Stream identifiers of a client, from 1. */
const streamOf = (index: number) => 2 * index + 1;

/** What a client sends for which its session ends. */
const FAULTS: readonly [string, (session: RawSession) => void][] = [
  [
    'empty DATA',
    session => {
      session.ask(1, POST, 0);
      session.write(each(MANY, () => frame(DATA, 0, 1)));
    },
  ],
  [
    'CONTINUATION',
    session => {
      session.write(frame(HEADERS, END_STREAM, 1, block(GET)));
      session.write(each(MANY, () => frame(CONTINUATION, 0, 1, block([['x', 'y']]))));
    },
  ],
  [
    'more streams than it may have',
    session => {
      for (let index = 0; index < MANY; index += 1) session.ask(streamOf(index));
    },
  ],
  [
    'malformed requests',
    session => {
      for (let index = 0; index < MANY; index += 1)
        session.ask(streamOf(index), withFields({ connection: 'x' }));
    },
  ],
  ['a frame that is too long', session => session.write(frame(DATA, 0, 1, Buffer.alloc(16_385)))],
  ['DATA without a request', session => session.write(frame(DATA, 0, 1, Buffer.from('x')))],
  ['RST_STREAM without a request', session => session.write(frame(RST_STREAM, 0, 1, code(0)))],
  ['WINDOW_UPDATE without a request', session => session.write(frame(WINDOW_UPDATE, 0, 1, code(9)))],
  [
    'a window that grows too far',
    session => session.write(each(2, () => frame(WINDOW_UPDATE, 0, 0, code(0x7fffffff)))),
  ],
  [
    'a window of more than 2^31 - 1',
    session => session.write(frame(SETTINGS, 0, 0, [0, 4, 255, 255, 255, 255])),
  ],
  ['a stream of an even number', session => session.ask(2)],
  ['a stream of number 0', session => session.ask(0)],
  ['a promise', session => session.write(frame(PUSH_PROMISE, END_HEADERS, 1, [0, 0, 0, 2]))],
  ['a PING of the wrong length', session => session.write(frame(PING, 0, 0, [1]))],
  ['SETTINGS of the wrong length', session => session.write(frame(SETTINGS, 0, 0, [1]))],
  [
    'a stream that depends on itself',
    session =>
      session.write(
        frame(
          HEADERS,
          END_STREAM | END_HEADERS | 0x20,
          1,
          Buffer.concat([code(1), Buffer.from([0]), block(GET)]),
        ),
      ),
  ],
  [
    'a table that grows too far',
    session => session.write(frame(HEADERS, END_STREAM | END_HEADERS, 1, [0x3f, 255, 255, 255, 15])),
  ],
  [
    'an index that is not in the table',
    session => session.write(frame(HEADERS, END_STREAM | END_HEADERS, 1, [0xff, 0x7f])),
  ],
  ['HTTP/1.1', session => session.write('GET / HTTP/1.1\r\nhost: gateway.test\r\n\r\n')],
];

let server: Http2Server;
const opened: RawSession[] = [];
const open = async (settings: Record<number, number> = {}) => {
  const session = await RawSession.open(server.port, settings);
  opened.push(session);
  return session;
};

beforeEach(async () => {
  server = await Http2Server.open();
});
afterEach(async () => {
  for (const { socket } of opened.splice(0)) socket.destroy();
  await server.close();
  expect(server.running).toBe(0);
});

it('a request and its answer', async () => {
  const session = await open();
  session.ask(1);
  expect(await session.endOf(1)).toBe('answered');
  const { payload } = await session.next(DATA, 1);
  expect(payload.toString()).toBe('hello');
  expect(server.received).toEqual([{ url: '/api/v1/x', method: 'GET', body: '', headers: PLAIN }]);
});

describe('does not reach the server', () => {
  it.each<[string, Record<string, string>]>([
    ['a line feed in a value', { x: 'a\nevil: 1' }],
    ['a carriage return in a value', { x: 'a\rb' }],
    ['a NUL in a value', { x: 'a\0b' }],
    ['a line feed in a cookie', { cookie: 'a\nb' }],
    ['a line feed in a name', { 'x\nevil': '1' }],
    ['a space in a name', { 'x y': '1' }],
    ['a colon in a name', { 'x:y': '1' }],
    ['an empty name', { '': '1' }],
  ])('a field with %s, which nghttp2 leaves out of its request', async (_what, changes) => {
    const session = await open();
    session.ask(1, withFields(changes));
    expect(await session.endOf(1)).toBe('answered');
    expect(server.received.map(({ headers }) => headers)).toEqual([PLAIN]);
  });

  it.each<[string, Record<string, string | undefined>]>([
    ['a name in upper case', { 'X-Upper': '1' }],
    ['a line feed in the path', { ':path': '/x HTTP/1.1\r\nhost: evil\r\n\r\n' }],
    ['a space in the path', { ':path': '/x y' }],
    ['an empty path', { ':path': '' }],
    ['no path', { ':path': undefined }],
    ['a path of another form', { ':path': 'https://gateway.test/x' }],
    ['a line feed in the method', { ':method': 'GET\n' }],
    ['a space in the method', { ':method': 'GET /evil' }],
    ['no method', { ':method': undefined }],
    ['no scheme', { ':scheme': undefined }],
    ['a line feed in the authority', { ':authority': 'gateway.test\nevil: 1' }],
    ['a space in the authority', { ':authority': 'gateway.test evil' }],
    ['a Host of another name', { host: 'other.test' }],
    ['an unknown pseudo-header field', { ':other': '1' }],
    ['a status', { ':status': '200' }],
    ['Connection', { connection: 'close' }],
    ['Keep-Alive', { 'keep-alive': '1' }],
    ['Proxy-Connection', { 'proxy-connection': 'close' }],
    ['Transfer-Encoding', { 'transfer-encoding': 'chunked' }],
    ['Upgrade', { upgrade: 'websocket' }],
    ['a TE of anything but trailers', { te: 'gzip' }],
    ['CONNECT', { ':method': 'CONNECT', ':path': undefined, ':scheme': undefined }],
    ['CONNECT with a path', { ':method': 'CONNECT' }],
    ['an extended CONNECT', { ':method': 'CONNECT', ':protocol': 'websocket' }],
    ['a length without a body', { 'content-length': '5' }],
    ['a length that is none', { 'content-length': '5, 5' }],
  ])('%s', async (_what, changes) => {
    const session = await open();
    session.ask(1, withFields(changes));
    const end = await session.endOf(1);
    if (end === 'answered') {
      expect((await session.next(DATA, 1)).payload.toString()).toContain('"code":400');
    } else {
      expect(end).toBe(`reset ${PROTOCOL_ERROR}`);
    }
    session.ask(3);
    expect(await session.endOf(3)).toBe('answered');
    expect(server.received.map(({ headers }) => headers)).toEqual([PLAIN]);
  });

  it.each<[string, Field[]]>([
    ['a pseudo-header field twice', [...GET, [':path', '/other']]],
    ['a pseudo-header field behind others', [['x', 'y'], ...GET]],
    ['two Hosts', [...GET, ['host', 'gateway.test'], ['host', 'gateway.test']]],
    ['two lengths', [...GET, ['content-length', '0'], ['content-length', '0']]],
  ])('%s', async (_what, fields) => {
    const session = await open();
    session.ask(1, fields);
    expect(await session.endOf(1)).toBe(`reset ${PROTOCOL_ERROR}`);
    expect(server.received).toEqual([]);
  });

  it.each([
    ['more', 6],
    ['less', 4],
  ])('a body of %s than its length', async (_what, length) => {
    const session = await open();
    session.ask(1, withFields({ 'content-length': '5' }, POST), 0);
    session.write(frame(DATA, END_STREAM, 1, Buffer.alloc(length, 'x')));
    // Node 22 ends the session.
    expect(['reset 1', 'goaway 2']).toContain(await session.endOf(1));
    const next = await open();
    next.ask(1);
    await next.endOf(1);
    expect(server.received.map(({ method }) => method)).toEqual(['GET']);
  });

  it.each([
    ['with chunks', {}, CANCEL],
    ['with chunks, without an error', {}, 0],
    ['with a length', { 'content-length': '9' }, CANCEL],
  ])('a body that breaks off, %s', async (_what, changes, reason) => {
    const session = await open();
    session.ask(1, withFields(changes, POST), 0);
    session.write(frame(DATA, 0, 1, Buffer.from('half')));
    await until(() => server.running === 1);
    session.write(frame(RST_STREAM, 0, 1, code(reason)));
    await until(() => server.running === 0);
    session.ask(3);
    await session.endOf(3);
    expect(server.received.map(({ method }) => method)).toEqual(['GET']);
  });

  it('a body that breaks off with its connection', async () => {
    const session = await open();
    session.ask(1, POST, 0);
    session.write(frame(DATA, 0, 1, Buffer.from('half')));
    await until(() => server.running === 1);
    session.socket.end();
    await until(() => server.running === 0);
    expect(server.received).toEqual([]);
  });
});

it('a body reaches the server byte for byte, however it is cut, also if it looks like a request', async () => {
  const body = '0\r\n\r\nGET /evil HTTP/1.1\r\nhost: gateway.test\r\n\r\n';
  const session = await open();
  session.ask(1, POST, 0);
  for (const byte of body) session.write(frame(DATA, 0, 1, Buffer.from(byte)));
  session.write(frame(DATA, END_STREAM, 1));
  session.ask(3, withFields({ 'content-length': String(body.length) }, POST), 0);
  session.write(frame(DATA, 0, 3, Buffer.from(body)), frame(DATA, END_STREAM, 3));
  expect(await session.endOf(1)).toBe('answered');
  expect(await session.endOf(3)).toBe('answered');
  expect(server.received.map(each => each.body)).toEqual([body, body]);
});

describe('a request whose body is empty has none', () => {
  const EMPTY = frame(DATA, END_STREAM, 1);
  it.each<[string, readonly Field[], Buffer[]]>([
    ['GET, empty DATA', GET, [EMPTY]],
    ['HEAD, empty DATA', withFields({ ':method': 'HEAD' }), [EMPTY]],
    ['GET, some empty DATA', GET, [frame(DATA, 0, 1), frame(DATA, 0, 1), EMPTY]],
    ['GET, nothing but padding', GET, [frame(DATA, END_STREAM | PADDED, 1, [3, 0, 0, 0])]],
    ['GET, nothing but trailers', GET, [trailers(1)]],
    ['POST, empty DATA', POST, [EMPTY]],
  ])('%s', async (_what, fields, frames) => {
    const session = await open();
    session.ask(1, fields, 0);
    // What comes first may not be the end.
    session.write(frame(PING, 0, 0, Buffer.alloc(8)));
    await session.next(PING);
    expect(server.running).toBe(0);
    session.write(...frames);
    expect(await session.endOf(1)).toBe('answered');
    const method = fields.find(([name]) => name === ':method')![1];
    expect(server.received).toEqual([{ url: '/api/v1/x', method, body: '', headers: PLAIN }]);
  });

  it('and is none without its end', async () => {
    server.server.headersTimeout = 300;
    const session = await open();
    session.ask(1, GET, 0);
    expect(await session.endOf(1)).toBe('answered');
    expect((await session.next(DATA, 1)).payload.toString()).toContain('"code":408');
    session.ask(3, GET, 0);
    session.write(frame(RST_STREAM, 0, 3, code(0)));
    session.ask(5);
    expect(await session.endOf(5)).toBe('answered');
    expect(server.received).toHaveLength(1);
  });
});

it('a body of a GET that has one reaches the server as such, which refuses it', async () => {
  const session = await open();
  session.ask(1, GET, 0);
  session.write(frame(DATA, 0, 1), frame(DATA, 0, 1, Buffer.from('x')), frame(DATA, END_STREAM, 1));
  expect(await session.endOf(1)).toBe('answered');
  expect(server.received).toMatchObject([{ method: 'GET', body: 'x' }]);
  expect(server.received[0]!.headers).toEqual([...PLAIN, 'transfer-encoding', 'chunked']);
});

it('trailers of a request are dropped', async () => {
  const session = await open();
  session.ask(1, POST, 0);
  session.write(frame(DATA, 0, 1, Buffer.from('body')));
  session.write(trailers(1));
  expect(await session.endOf(1)).toBe('answered');
  expect(server.received).toMatchObject([{ url: '/api/v1/x', method: 'POST', body: 'body' }]);
  expect(server.received[0]!.headers).not.toContain('x-trailer');
});

/** Two megabytes of fields, in 4.5 kB; in half a kilobyte for every further request of the session. */
const BOMB = Buffer.concat([block(GET), repeatedField(['x', 'y'.repeat(4000)], 500)]);

it('a head of references to one long field is reset, and no part of it reaches the server', async () => {
  const session = await open();
  await session.next(SETTINGS);
  session.write(frame(HEADERS, END_STREAM | END_HEADERS, 1, BOMB));
  expect(await session.endOf(1)).toBe(`reset ${ENHANCE_YOUR_CALM}`);
  expect(server.received).toEqual([]);
});

it('such a head ends the session of a client that does not acknowledge the settings', async () => {
  const session = await open();
  session.acknowledges = false;
  session.write(frame(HEADERS, END_STREAM | END_HEADERS, 1, BOMB));
  await session.closed();
  expect([session.goaway, server.received]).toEqual([ENHANCE_YOUR_CALM, []]);
});

it('a head longer than the limit is answered 431, and a much longer one not at all', async () => {
  const session = await open();
  // Each name and value are sent in one frame and its continuations.
  const ask = (stream: number, bytes: number) => {
    const text = block([...GET, ['x', 'a'.repeat(bytes)]]);
    const pieces = Array.from({ length: Math.ceil(text.length / 16_384) }, (_, index) =>
      text.subarray(16_384 * index, 16_384 * (index + 1)),
    );
    pieces.forEach((piece, index) => {
      const flags = index === pieces.length - 1 ? END_HEADERS : 0;
      const type = index === 0 ? HEADERS : CONTINUATION;
      session.write(frame(type, flags | (index === 0 ? END_STREAM : 0), stream, piece));
    });
  };
  ask(1, 15_000);
  expect(await session.endOf(1)).toBe('answered');
  expect(server.received).toHaveLength(1);
  ask(3, 17_000);
  expect(await session.endOf(3)).toBe('answered');
  expect((await session.next(DATA, 3)).payload.toString()).toContain('"code":431');
  ask(5, 70_000);
  expect(await session.endOf(5)).not.toBe('answered');
  expect(server.received).toHaveLength(1);
});

describe('ends the session', () => {
  it.each<[string, (session: RawSession) => void]>([
    [
      'requests that are taken back at once',
      session =>
        session.write(
          each(MANY, index =>
            Buffer.concat([
              frame(HEADERS, END_STREAM | END_HEADERS, streamOf(index), block(GET)),
              frame(RST_STREAM, 0, streamOf(index), code(CANCEL)),
            ]),
          ),
        ),
    ],
    ['PINGs', session => session.write(each(MANY, () => frame(PING, 0, 0, Buffer.alloc(8))))],
    ['SETTINGS', session => session.write(each(MANY, () => frame(SETTINGS, 0, 0)))],
  ])('with %s', async (_what, attack) => {
    const session = await open();
    await session.next(SETTINGS);
    attack(session);
    await session.closed();
    // Node 22 counts the first of these too.
    expect([ENHANCE_YOUR_CALM, INTERNAL_ERROR]).toContain(session.goaway);
  });

  it('with requests that are taken back while they run', async () => {
    server.answer = () => {};
    const session = await open();
    let stream = 1;
    while (!session.isClosed) {
      const taken = server.received.length;
      session.ask(stream);
      await until(() => server.received.length > taken || session.isClosed);
      session.write(frame(RST_STREAM, 0, stream, code(0)));
      await until(() => server.running === 0 || session.isClosed);
      stream += 2;
    }
    expect(session.goaway).toBe(ENHANCE_YOUR_CALM);
    expect(server.received.length).toBeGreaterThan(90);
    expect(server.received.length).toBeLessThan(110);
  });

  it('with streams that a faulty frame of the client resets', async () => {
    server.answer = () => {};
    const session = await open();
    for (let index = 0; index < MANY && !session.isClosed; index += 1) {
      const taken = server.received.length;
      session.ask(streamOf(index));
      await until(() => server.received.length > taken || session.isClosed);
      session.write(frame(WINDOW_UPDATE, 0, streamOf(index), code(0)));
      await until(() => server.running === 0 || session.isClosed);
    }
    await session.closed();
    expect(server.received.length).toBeLessThan(110);
  });

  it('with requests that are refused', async () => {
    const session = await open();
    for (let index = 0; index < MANY && !session.isClosed; index += 1) {
      session.ask(
        streamOf(index),
        withFields({ ':method': 'CONNECT', ':path': undefined, ':scheme': undefined }),
      );
      await session.endOf(streamOf(index));
    }
    await session.closed();
    expect(session.goaway).toBe(ENHANCE_YOUR_CALM);
  });

  it('with any faulty frame, and no other', async () => {
    await server.close();
    // nghttp2 reads and writes nothing more after its GOAWAY: such a session ends like one without a request.
    server = await Http2Server.open({ firstMs: 300, idleMs: 300 });
    const hello = server.answer;
    server.answer = () => {};
    const ends = await Promise.all(
      FAULTS.map(async ([what, attack]) => {
        const session = await open();
        await session.next(SETTINGS);
        attack(session);
        await session.closed();
        return `${what}: ${session.goaway === 0 ? 'not noticed' : 'ended'}`;
      }),
    );
    expect(ends).toEqual(FAULTS.map(([what]) => `${what}: ended`));
    server.answer = hello;
    const next = await open();
    next.ask(1);
    expect(await next.endOf(1)).toBe('answered');
  });

  it('without a preface', async () => {
    const session = await RawSession.silent(server.port);
    session.write('x'.repeat(24));
    await session.closed();
  });
});

it('frames of unknown types are ignored', async () => {
  const session = await open();
  session.write(frame(0xfa, 255, 0, Buffer.alloc(99)), frame(PRIORITY, 0, 1, [0, 0, 0, 0, 9]));
  session.ask(1);
  expect(await session.endOf(1)).toBe('answered');
});

it('a client that does not read its answers is waited for, and holds up no other request', async () => {
  const body = Buffer.alloc(300_000, 'x');
  server.answer = (request, response) => {
    if (request.url === '/large') response.setTimeout(400);
    response.end(request.url === '/large' ? body : 'small');
  };
  const session = await open({ [INITIAL_WINDOW_SIZE]: 0 });
  session.ask(1, withFields({ ':path': '/large' }));
  session.ask(3);
  await until(() => server.received.length === 2);
  session.write(frame(WINDOW_UPDATE, 0, 3, code(65_535)));
  expect(await session.endOf(3)).toBe('answered');
  expect(session.frames.some(({ type, stream }) => type === DATA && stream === 1)).toBe(false);
  expect(server.running).toBe(1);
  // Nothing moves: the time limit of the answer ends the stream, and not the session.
  expect(await session.endOf(1)).toBe('reset 2');
  session.ask(5);
  session.write(frame(WINDOW_UPDATE, 0, 5, code(65_535)));
  expect(await session.endOf(5)).toBe('answered');
});

it.each([
  ['reads nothing at all', false],
  ['has left meanwhile', true],
])('a client that %s loses its session after the time limit of an answer', async (_what, leaves) => {
  await server.close();
  server = await Http2Server.open({ pingMs: 300 });
  server.answer = (_request, response) => {
    response.setTimeout(300);
    // More than the system buffers.
    response.end(Buffer.alloc(30_000_000, 'x'));
  };
  const session = await open({ [INITIAL_WINDOW_SIZE]: 0x7fffffff });
  await session.next(SETTINGS);
  session.write(frame(WINDOW_UPDATE, 0, 0, code(0x7fff0000)));
  session.socket.pause();
  session.ask(1);
  await until(() => server.received.length === 1);
  if (leaves) session.socket.destroy();
  await until(() => server.running === 0);
  await until(async () => (await promisify(server.server.getConnections).call(server.server)) === 0);
});

it('a client that reads slowly has its answer, if something moves in time', async () => {
  const body = Buffer.alloc(160_000, 'x');
  server.answer = (_request, response) => {
    response.setTimeout(1000);
    response.end(body);
  };
  const session = await open({ [INITIAL_WINDOW_SIZE]: 0 });
  const startedMs = performance.now();
  session.write(frame(WINDOW_UPDATE, 0, 0, code(1_000_000)));
  session.ask(1);
  const read = () =>
    session.frames.reduce((sum, { type, payload }) => sum + (type === DATA ? payload.length : 0), 0);
  for (let sent = 0; sent < body.length; sent += 20_000) {
    await new Promise(resolve => setTimeout(resolve, 200));
    session.write(frame(WINDOW_UPDATE, 0, 1, code(20_000)));
    await until(() => read() === Math.min(sent + 20_000, body.length) || session.isClosed);
  }
  // The end of the stream waits for a window too.
  session.write(frame(WINDOW_UPDATE, 0, 1, code(1)));
  expect(await session.endOf(1)).toBe('answered');
  expect(performance.now() - startedMs).toBeGreaterThan(1200);
});

it('a client that sends slowly has the time that one of HTTP/1.1 has', async () => {
  server.server.requestTimeout = 300;
  server.server.headersTimeout = 300;
  const session = await open();
  session.ask(1, POST, 0);
  session.write(frame(DATA, 0, 1, Buffer.from('half')));
  expect(await session.endOf(1)).toBe('answered');
  expect((await session.next(DATA, 1)).payload.toString()).toContain('"code":408');
  expect(server.received).toEqual([]);
});

it('a body that nobody reads is not taken without end', async () => {
  server.server.removeAllListeners('request');
  server.server.on('request', () => {});
  const session = await open();
  session.ask(1, POST, 0);
  let sent = 0;
  const allowed = () =>
    session.frames
      .filter(({ type, stream }) => type === WINDOW_UPDATE && stream === 1)
      .reduce((sum, { payload }) => sum + payload.readUInt32BE(), 65_535);
  // The window of the whole session.
  session.write(frame(WINDOW_UPDATE, 0, 0, code(1_000_000)));
  for (let quiet = 0; quiet < 100 && sent < 1_000_000; quiet += 1) {
    for (; sent + 10_000 <= allowed(); sent += 10_000) {
      session.write(frame(DATA, 0, 1, Buffer.alloc(10_000)));
      quiet = 0;
    }
    await new Promise(resolve => setTimeout(resolve, 2));
  }
  expect(sent).toBeLessThan(300_000);
});

describe('a session without a request', () => {
  const opening = async (times: { firstMs?: number; idleMs?: number }) => {
    await server.close();
    server = await Http2Server.open(times);
  };

  it('is closed if the first one does not come, whatever else does', async () => {
    await opening({ firstMs: 400 });
    const session = await open();
    const silent = await RawSession.silent(server.port);
    const beat = setInterval(
      () => session.write(frame(PING, 0, 0, Buffer.alloc(8)), frame(SETTINGS, 0, 0)),
      50,
    );
    await Promise.all([session.closed(), silent.closed()]);
    clearInterval(beat);
    expect(session.goaway).toBe(0);
  });

  it('is closed some time after the last one, whatever else comes', async () => {
    await opening({ idleMs: 400 });
    const session = await open();
    session.ask(1);
    expect(await session.endOf(1)).toBe('answered');
    const beat = setInterval(() => session.write(frame(PING, 0, 0, Buffer.alloc(8))), 50);
    await session.closed();
    clearInterval(beat);
    expect(session.goaway).toBe(0);
  });

  it('stays open while one runs', async () => {
    await opening({ firstMs: 100, idleMs: 100 });
    const answers: (() => void)[] = [];
    server.answer = (_request, response) => answers.push(() => response.end('late'));
    const session = await open();
    session.ask(1);
    await until(() => answers.length === 1);
    await new Promise(resolve => setTimeout(resolve, 400));
    expect(session.goaway).toBeUndefined();
    answers[0]!();
    expect(await session.endOf(1)).toBe('answered');
    await session.closed();
  });
});

describe('a stop', () => {
  it('lets a request end, also one whose answer the client reads slowly, and takes no other', async () => {
    const answers: (() => void)[] = [];
    server.answer = (_request, response) => answers.push(() => response.end(Buffer.alloc(50_000, 'x')));
    const session = await open({ [INITIAL_WINDOW_SIZE]: 0 });
    session.ask(1);
    session.ask(3);
    await until(() => answers.length === 2);
    answers[0]!();
    const closed = once(server.server, 'close');
    server.server.close();
    expect((await session.next(GOAWAY)).payload.readUInt32BE(4)).toBe(0);
    session.ask(5);
    server.server.closeIdleConnections();
    answers[1]!();
    session.write(frame(WINDOW_UPDATE, 0, 1, code(60_000)), frame(WINDOW_UPDATE, 0, 3, code(60_000)));
    session.write(frame(WINDOW_UPDATE, 0, 0, code(60_000)));
    expect(await session.endOf(1)).toBe('answered');
    expect(await session.endOf(3)).toBe('answered');
    await session.closed();
    await closed;
    expect(server.received).toHaveLength(2);
    await reopen();
  });

  it('closes sessions without a request, and at its end all of them', async () => {
    server.answer = () => {};
    const [idle, busy] = [await open(), await open()];
    busy.ask(1);
    await until(() => server.received.length === 1);
    const closed = once(server.server, 'close');
    server.server.close();
    await idle.closed();
    expect([idle.goaway, busy.isClosed]).toEqual([0, false]);
    server.server.closeAllConnections();
    await busy.closed();
    await closed;
    await reopen();
  });

  /** For `afterEach`. */
  async function reopen(): Promise<void> {
    server = await Http2Server.open();
  }
});
