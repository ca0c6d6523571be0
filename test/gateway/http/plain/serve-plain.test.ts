import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import type { Exchange } from '#gateway/http/exchange.js';
import { refuseClient } from '#gateway/http/http-server.js';
import type { PlainTimes } from '#gateway/http/plain/plain-connection.js';
import { servePlain } from '#gateway/http/plain/serve-plain.js';
import { until } from '../../../../testkit/until.js';
import { RawClient } from './raw-client.js';

const PATIENT: PlainTimes = { firstMs: 60_000, keepAliveMs: 65_000 };
const SLOW_READER_MS = 60_000;
/** More than the system holds for a connection. */
const LARGE = Buffer.alloc(16_000_000, 'x');
/** More than it takes at once. */
const LONG = LARGE.subarray(0, 4_000_000);

let server: Server;
let port: number;
/** The targets that each of both was asked for. */
let plain: string[];
let byNode: string[];
/** Answers `hello` when left alone. */
let answer: (exchange: Exchange) => boolean;
const clients: RawClient[] = [];

const hello = (exchange: Exchange, body: Buffer | string = 'hello') => {
  const lines = ['content-length', String(body.length)];
  return exchange.send({ status: 200, lines, body }, SLOW_READER_MS);
};

async function open(times: Partial<PlainTimes> = {}): Promise<void> {
  plain = [];
  byNode = [];
  answer = exchange => {
    hello(exchange);
    return true;
  };
  server = createServer((request: IncomingMessage, response: ServerResponse) => {
    byNode.push(`${request.method} ${request.url}`);
    let length = 0;
    request.on('data', (piece: Buffer) => (length += piece.length));
    request.on('end', () => response.end(`node ${length}`));
  });
  server.on('clientError', refuseClient);
  servePlain(server, 'connection', {
    answer: exchange => {
      if (!exchange.target.startsWith('/plain')) return false;
      plain.push(exchange.target);
      return answer(exchange);
    },
    times: { ...PATIENT, ...times },
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
}

async function connect(): Promise<RawClient> {
  const client = await RawClient.open(port);
  clients.push(client);
  return client;
}

afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.destroy();
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
});

const get = (target: string, ...lines: string[]) =>
  [`GET ${target} HTTP/1.1`, 'Host: a', ...lines, '', ''].join('\r\n');
const bodyOf = (response: string | undefined) => response?.slice(response.indexOf('\r\n\r\n') + 4);

it('plain GETs are answered one after another, and with anything else the connection is that of Node', async () => {
  await open();
  const client = await connect();
  for (const count of [1, 2, 3]) {
    client.write(get(`/plain/${count}`));
    expect(bodyOf((await client.responses(count))[count - 1])).toBe('hello');
  }
  client.write('POST /post HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc');
  expect(bodyOf((await client.responses(4))[3])).toContain('node');
  client.write(get('/plain/4'));
  await client.responses(5);
  expect(plain).toEqual(['/plain/1', '/plain/2', '/plain/3']);
  expect(byNode).toEqual(['POST /post', 'GET /plain/4']);
});

it('the head is as Node writes it', async () => {
  await open();
  const client = await connect();
  client.write(get('/plain'));
  client.write('');
  await client.responses(1);
  client.write(get('/other'));
  const [ours, nodes] = (await client.responses(2)).map(text => text.slice(0, text.indexOf('\r\n\r\n')));
  const names = (head = '') => head.split('\r\n').map(line => line.split(':')[0]);
  expect(names(ours)).toEqual(['HTTP/1.1 200 OK', 'content-length', 'Date', 'Connection', 'Keep-Alive']);
  expect(names(nodes)).toEqual(['HTTP/1.1 200 OK', 'Date', 'Connection', 'Keep-Alive', 'Content-Length']);
  const date = /\r\nDate: (.*)/.exec(ours!)![1]!;
  expect(new Date(date).toUTCString()).toBe(date);
  expect(Math.abs(Date.parse(date) - Date.now())).toBeLessThan(10_000);
  expect(ours).toContain('\r\nConnection: keep-alive\r\nKeep-Alive: timeout=65');
});

it('bytes in whatever pieces reach Node in their order', async () => {
  await open();
  const body = 'b'.repeat(100_000);
  const post = `POST /post HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const text = get('/plain/1') + post + get('/plain/2') + get('/last', 'Connection: close');
  for (const at of [1, 2, 3, 4, 20, 30, get('/plain/1').length, get('/plain/1').length + 1, 200, 70_000]) {
    byNode = [];
    const client = await connect();
    client.write(text.slice(0, at));
    for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
    client.write(text.slice(at));
    const responses = await client.responses(4);
    expect([at, responses.length]).toEqual([at, 4]);
    expect(responses[1]).toContain(`node ${body.length}`);
    expect(byNode.slice(-3)).toEqual(['POST /post', 'GET /plain/2', 'GET /last']);
    await client.end();
  }
});

it('what arrives while a request is answered is answered by Node after it', async () => {
  await open();
  const client = await connect();
  const running: Exchange[] = [];
  answer = exchange => running.push(exchange) > 0;
  client.write(get('/plain/1'));
  await until(() => running.length === 1);
  // Far more than is held.
  const body = 'b'.repeat(3_000_000);
  client.write(`POST /post HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n`);
  client.write(body);
  client.write(get('/last', 'Connection: close'));
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  expect(byNode).toEqual([]);
  expect(running[0]!.socket).toMatchObject({ bytesRead: expect.any(Number) });
  expect(Reflect.get(running[0]!.socket, 'bytesRead')).toBeLessThan(1_000_000);
  hello(running[0]!);
  const all = await client.end();
  expect(byNode).toEqual(['POST /post', 'GET /last']);
  expect(all.match(/hello|node \d+/g)).toEqual(['hello', `node ${body.length}`, 'node 0']);
});

it('a client that leaves ends its request, also when it has sent more', async () => {
  for (const more of ['', get('/plain/2'), 'x']) {
    await open();
    const client = await connect();
    const ends: boolean[] = [];
    answer = exchange => {
      exchange.onEnd(isWhole => ends.push(isWhole));
      return true;
    };
    client.write(get('/plain/1'));
    await until(() => plain.length === 1);
    client.write(more);
    client.socket.destroy();
    await until(() => ends.length === 1);
    expect(ends).toEqual([false]);
    expect(byNode).toEqual([]);
    server.closeAllConnections();
    server.close();
  }
});

it('a client that says that it sends no more is closed, as by Node', async () => {
  await open();
  const client = await connect();
  let ended: boolean | undefined;
  answer = exchange => {
    exchange.onEnd(isWhole => (ended = isWhole));
    return true;
  };
  client.write(get('/plain'));
  client.socket.end();
  expect(await client.end()).toBe('');
  await until(() => ended !== undefined);
  expect(ended).toBe(false);
  const byNodeAlone = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(byNodeAlone, 'listening');
  const other = await RawClient.open((byNodeAlone.address() as AddressInfo).port);
  other.write(get('/plain'));
  other.socket.end();
  expect(await other.end()).toBe('');
  byNodeAlone.close();
});

it('a response that the client does not read ends with the time for that', async () => {
  await open();
  const client = await connect();
  const ends: boolean[] = [];
  answer = exchange => {
    exchange.onEnd(isWhole => ends.push(isWhole));
    return !exchange.send({ status: 200, lines: ['content-length', String(LARGE.length)], body: LARGE }, 200);
  };
  client.socket.pause();
  client.write(get('/plain'));
  await until(() => ends.length === 1);
  expect(ends).toEqual([false]);
});

it('a large response that is read is whole, and the connection goes on', async () => {
  await open();
  const client = await connect();
  const ends: boolean[] = [];
  answer = exchange => {
    exchange.onEnd(isWhole => ends.push(isWhole));
    hello(exchange, LONG);
    return true;
  };
  for (const count of [1, 2]) {
    client.write(get('/plain'));
    await client.responses(1);
    await until(() => ends.length === count);
    expect(bodyOf(client.received)).toHaveLength(LONG.length);
    client.received = '';
  }
  expect(ends).toEqual([true, true]);
});

it.each([[['content-length', '9']], [[]]])('a body is sent as it comes, with %j', async lines => {
  await open();
  const client = await connect();
  const body = new PassThrough();
  const ends: boolean[] = [];
  answer = exchange => {
    exchange.onEnd(isWhole => ends.push(isWhole));
    exchange.stream({ status: 200, lines: [...lines, 'etag', 'content-length'], body }, SLOW_READER_MS);
    return true;
  };
  client.write(get('/plain'));
  for (const piece of ['one', 'two', 'end']) {
    body.write(piece);
    await until(() => client.received.includes(piece));
  }
  expect(ends).toEqual([]);
  body.end();
  const [response] = await client.responses(1);
  const isChunked = lines.length === 0;
  expect(bodyOf(response)).toBe(isChunked ? '3\r\none\r\n3\r\ntwo\r\n3\r\nend\r\n0\r\n\r\n' : 'onetwoend');
  expect(response!.includes('\r\nTransfer-Encoding: chunked\r\n')).toBe(isChunked);
  await until(() => ends.length === 1);
  expect(ends).toEqual([true]);
  client.write(get('/other'));
  expect((await client.responses(2))[1]).toContain('node');
});

it('a body waits for the client, and one that breaks off never looks whole', async () => {
  await open();
  const client = await connect();
  const body = new PassThrough();
  let exchange: Exchange | undefined;
  answer = asked => {
    exchange = asked;
    asked.stream({ status: 200, lines: [], body }, SLOW_READER_MS);
    return true;
  };
  client.socket.pause();
  client.write(get('/plain'));
  const piece = LARGE.subarray(0, 65_536);
  let written = 0;
  await until(() => exchange !== undefined);
  while (body.write(piece) && written < LARGE.length) {
    written += piece.length;
    await new Promise(resolve => setTimeout(resolve, 1));
  }
  expect(written).toBeLessThan(LARGE.length);
  client.socket.resume();
  await once(body, 'drain');
  exchange!.breakOff();
  expect((await client.end()).endsWith('0\r\n\r\n')).toBe(false);
});

describe('a stop', () => {
  it('closes idle connections at once, and the others with their next response', async () => {
    await open();
    const [idle, busy, fresh] = [await connect(), await connect(), await connect()];
    const running: Exchange[] = [];
    idle.write(get('/plain'));
    await idle.responses(1);
    answer = exchange => running.push(exchange) > 0;
    busy.write(get('/plain/busy'));
    await until(() => running.length === 1);
    const closed = once(server, 'close');
    server.close();
    await idle.end();
    expect([busy.isClosed, fresh.isClosed]).toEqual([false, false]);
    fresh.write(get('/plain/fresh'));
    await until(() => running.length === 2);
    for (const exchange of running) hello(exchange);
    for (const client of [busy, fresh]) {
      const text = await client.end();
      expect(text).toContain('\r\nconnection: close\r\n');
      expect(text).not.toContain('Keep-Alive');
      expect(text.endsWith('hello')).toBe(true);
    }
    await closed;
  });

  it('closes all connections, and forgets those that have closed', async () => {
    await open();
    const [fresh, busy] = [await connect(), await connect()];
    answer = () => true;
    busy.write(get('/plain'));
    await until(() => plain.length === 1);
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
    await Promise.all([fresh.end(), busy.end()]);
  });
});

it('a client that sends nothing is refused, and a connection without requests is closed', async () => {
  await open({ firstMs: 100, keepAliveMs: 200 });
  const [silent, idle] = [await connect(), await connect()];
  idle.write(get('/plain'));
  const running = await connect();
  let waiting: Exchange | undefined;
  await idle.responses(1);
  answer = exchange => {
    waiting = exchange;
    return true;
  };
  running.write(get('/plain/slow'));
  expect(await silent.end()).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  expect(await idle.end()).toMatch(/hello$/);
  // Longer than a connection may be idle.
  await new Promise(resolve => setTimeout(resolve, 500));
  expect(running.isClosed).toBe(false);
  hello(waiting!);
  expect(await running.end()).toMatch(/hello$/);
});

it('a client that wants the connection to end gets its response first, and nothing after it', async () => {
  await open();
  for (const after of ['', get('/plain/2'), 'x']) {
    const client = await connect();
    let waiting: Exchange | undefined;
    answer = exchange => {
      waiting = exchange;
      return true;
    };
    client.write(get('/plain', 'Connection: close'));
    await until(() => waiting !== undefined);
    hello(waiting!, LONG);
    client.write(after);
    const text = await client.end();
    expect(bodyOf(text)).toHaveLength(LONG.length);
    expect(text).toContain('\r\nConnection: close\r\n\r\n');
  }
  expect(byNode).toEqual([]);
});
