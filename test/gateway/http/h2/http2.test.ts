import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type Settings,
} from 'node:http2';
import { connect as connectTls } from 'node:tls';
import type { GatewayConfig } from '#gateway/config/config.js';
import { NO_LIMITS } from '#gateway/config/config.js';
import type { AnsweredRequest } from '#gateway/monitoring/answered-requests.js';
import { gatewayConfig } from '../../../../testkit/gateway/gateway-config.js';
import { GatewayScene } from '../../../../testkit/gateway/gateway-scene.js';
import { json, RecordingNode } from '../../../../testkit/gateway/recording-node.js';
import { until } from '../../../../testkit/until.js';

const KEY = gatewayConfig().adminApiKey;
const INFO = '/api/v1/accounts/x';
const SUBMIT = { ':method': 'POST', ':path': '/api/v1/transactions', 'content-type': 'application/json' };

let scene: GatewayScene;
let node: RecordingNode;
let answered: AnsweredRequest[];
const sessions: ClientHttp2Session[] = [];

async function open(changes: Partial<GatewayConfig> = {}): Promise<void> {
  node = await RecordingNode.start('full', json(200, { from: 'full' }));
  const config = { tls: { selfSigned: true } as const, ...changes };
  let next = gatewayConfig();
  scene = await GatewayScene.open([node], config, { readConfig: async () => next });
  next = { ...scene.gateway.context.config, hstsSeconds: 60 };
  answered = [];
  scene.gateway.context.answers.listen(each => answered.push(each));
}

afterEach(async () => {
  for (const session of sessions.splice(0)) session.destroy();
  await scene.close();
});

function startSession(settings: Settings = {}): ClientHttp2Session {
  const session = connect(scene.gateway.url, { rejectUnauthorized: false, settings });
  session.on('error', () => {});
  sessions.push(session);
  return session;
}

/** Also of a session that fails, on which `once` throws. */
const closeOf = (session: ClientHttp2Session) => new Promise(resolve => session.once('close', resolve));

interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

function ask(session: ClientHttp2Session, fields: OutgoingHttpHeaders, body?: string): ClientHttp2Stream {
  const stream = session.request({ ':path': INFO, ':authority': 'gateway.test', ...fields });
  stream.on('error', () => {});
  if (body !== undefined) stream.end(body);
  return stream;
}

async function replyTo(stream: ClientHttp2Stream): Promise<Reply> {
  const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders];
  const body = Buffer.concat(await stream.toArray()).toString();
  return { status: Number(headers[':status']), headers, body };
}

const send = (session: ClientHttp2Session, fields: OutgoingHttpHeaders = {}, body?: string) =>
  replyTo(ask(session, fields, body));

/** The protocol that the gateway chooses from these. */
async function chosen(...ALPNProtocols: string[]): Promise<string | false | null> {
  const { port } = new URL(scene.gateway.url);
  const socket = connectTls({ port: Number(port), rejectUnauthorized: false, ALPNProtocols });
  await once(socket, 'secureConnect');
  const { alpnProtocol } = socket;
  socket.destroy();
  return alpnProtocol;
}

describe('a client chooses', () => {
  it('HTTP/2 or HTTP/1.1', async () => {
    await open();
    expect(await chosen('h2', 'http/1.1')).toBe('h2');
    expect(await chosen('http/1.1', 'h2')).toBe('h2');
    expect(await chosen('http/1.1')).toBe('http/1.1');
    expect(await chosen()).toBe(false);
    await expect(chosen('h3')).rejects.toThrow();
  });

  it('HTTP/1.1 alone, if HTTP/2 is off', async () => {
    await open({ http2: false });
    expect(await chosen('h2', 'http/1.1')).toBe('http/1.1');
    await expect(chosen('h2')).rejects.toThrow();
  });
});

describe('over HTTP/2', () => {
  beforeEach(() => open({ faucet: true, trustedProxies: ['192.0.2.1'] }));

  it('a read reaches a node, and its answer has no fields of a connection', async () => {
    const { status, headers, body } = await send(startSession(), { 'x-header': 'a' });
    expect([status, JSON.parse(body)]).toEqual([200, { from: 'full' }]);
    expect(headers['content-type']).toContain('application/json');
    for (const name of ['connection', 'keep-alive', 'transfer-encoding']) {
      expect(headers).not.toHaveProperty(name);
    }
    expect(node.asked).toEqual([`GET ${INFO}`]);
    await until(() => answered.length === 1);
    expect(answered[0]).toMatchObject({ ip: '127.0.0.1', method: 'GET', path: INFO, status: 200 });
    expect(answered[0]!.bytes).toBe(body.length);
  });

  it.each([
    ['of the length that it says', { 'content-length': 9 }],
    ['of no length that it says', {}],
  ])('a broadcast %s reaches a node', async (_what, fields) => {
    const body = '{"a":"x"}';
    expect((await send(startSession(), { ...SUBMIT, ...fields }, body)).status).toBe(200);
    expect(node.received.map(received => received.body)).toEqual([body]);
  });

  it('HEAD, an unknown route, a route of its own and a 304', async () => {
    const session = startSession();
    const head = await send(session, { ':method': 'HEAD' });
    expect([head.status, head.body]).toEqual([200, '']);
    expect(Number(head.headers['content-length'])).toBeGreaterThan(0);
    expect((await send(session, { ':path': '/nothing' })).status).toBe(404);
    expect((await send(session, { ':path': '/gateway/status' })).status).toBe(200);
    node.answer = (_request, response) => void response.writeHead(304, { etag: '"x"' }).end();
    const known = await send(session, { 'if-none-match': '"x"' });
    expect([known.status, known.body, known.headers.etag]).toEqual([304, '', '"x"']);
  });

  it.each(['GET', 'HEAD'])('a %s that ends with an empty frame has no body', async method => {
    const session = startSession();
    const stream = session.request(
      { ':path': INFO, ':authority': 'gateway.test', ':method': method },
      { endStream: false },
    );
    stream.end();
    expect((await replyTo(stream)).status).toBe(200);
    expect(node.asked).toEqual([`GET ${INFO}`]);
  });

  it('content of a 205 is left out', async () => {
    node.answer = (_request, response) => void response.writeHead(205, { 'content-length': 5 }).end('reset');
    const { status, headers, body } = await send(startSession());
    expect([status, headers['content-length'], body]).toEqual([205, '0', '']);
  });

  it('a large answer of unknown length arrives whole', async () => {
    const large = 'x'.repeat(900_000);
    node.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      for (let at = 0; at < large.length; at += 9000) response.write(large.slice(at, at + 9000));
      response.end();
    };
    const { status, body } = await send(startSession());
    expect([status, body === large]).toEqual([200, true]);
  });

  it.each<[string, number, OutgoingHttpHeaders]>([
    ['a window that it uses up', 65_535, {}],
    ['room in the window', 1_000_000, {}],
    ['room in the window, and a length', 1_000_000, { 'content-length': 300_000 }],
  ])('an answer that breaks off is not taken for a whole one, with %s', async (_, window, fields) => {
    let breakOff: () => void = () => {};
    node.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', ...fields }).write('x'.repeat(200_000));
      breakOff = () => response.destroy();
    };
    const session = startSession({ initialWindowSize: window });
    await once(session, 'connect');
    session.setLocalWindowSize(window);
    const stream = ask(session, {});
    let received = 0;
    for (; received < Math.min(window, 200_000); received += (await once(stream, 'data'))[0].length);
    breakOff();
    await new Promise(resolve => stream.resume().once('close', resolve));
    expect(stream.rstCode).toBe(2);
  });

  it('events', async () => {
    node.answer = (request, response, socket) => {
      // Reads that wait for the next block are not answered.
      if (!request.path.includes('wait_ms')) json(200, { height: 3 })(request, response, socket);
    };
    const stream = ask(startSession(), { ':path': '/api/v1/blocks', accept: 'text/event-stream' });
    const [headers] = await once(stream, 'response');
    expect(headers).toMatchObject({ ':status': 200, 'content-type': 'text/event-stream' });
    const [piece] = await once(stream, 'data');
    expect(String(piece)).toContain(':');
    stream.close();
    await once(stream, 'close');
    await until(() => answered.some(({ path }) => path === '/api/v1/blocks'));
  });

  it('a client that asks first is told to continue', async () => {
    const session = startSession();
    const stream = ask(session, { ...SUBMIT, expect: '100-continue' });
    await once(stream, 'continue');
    stream.end('{}');
    expect((await replyTo(stream)).status).toBe(200);
    expect((await send(session, { ...SUBMIT, expect: 'a-pony' }, '{}')).status).toBe(417);
  });

  it.each<[number, string, OutgoingHttpHeaders, string?]>([
    [403, 'another host', { ':authority': 'other.test' }],
    [400, 'a Host of another name', { host: 'other.test' }],
    [400, 'a dot segment', { ':path': '/api/v1/../x' }],
    [400, 'a GET with a body', { ':method': 'GET', 'content-length': 2 }, '{}'],
    [414, 'a long path', { ':path': `/api/v1/${'a'.repeat(3000)}` }],
    [431, 'a long head', { x: 'a'.repeat(17_000) }],
    [431, 'many lines', Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`x-${index}`, '']))],
    [405, 'a method that chain routes do not have', { ':method': 'DELETE' }],
    [400, 'an unknown method', { ':method': 'GETT' }],
    [413, 'a body that is too long', SUBMIT, `"${'x'.repeat(70_000)}"`],
    [401, 'no admin key', { ':path': '/admin/state' }],
  ])('%i for %s', async (status, _what, fields, ...[body]) => {
    const session = startSession();
    const stream = session.request(
      { ':path': INFO, ':authority': 'gateway.test', ...fields },
      { endStream: body === undefined },
    );
    stream.on('error', () => {});
    if (body !== undefined) stream.end(body);
    const reply = await replyTo(stream);
    expect([reply.status, JSON.parse(reply.body).success]).toEqual([status, false]);
    expect(node.received).toEqual([]);
    expect((await send(session)).status).toBe(200);
  });

  it('the client is the one of the connection, whoever it says', async () => {
    await send(startSession(), { 'x-forwarded-for': '198.51.100.1' });
    await until(() => answered.length === 1);
    expect(answered[0]!.ip).toBe('127.0.0.1');
  });

  it('a reload closes no session, and the next request is answered by the new configuration', async () => {
    const session = startSession();
    expect((await send(session)).headers).not.toHaveProperty('strict-transport-security');
    let end: () => void = () => {};
    node.answer = (_request, response) => {
      end = () => response.end('{"late":true}');
    };
    const running = send(session, { ':path': '/api/v1/slow' });
    await until(() => node.received.length === 2);
    node.answer = json(200, {});
    await scene.gateway.reload();
    expect((await send(session)).headers['strict-transport-security']).toBe('max-age=60');
    end();
    expect((await running).body).toBe('{"late":true}');
    expect(session.closed).toBe(false);
  });
});

it('a proxy says who its client is', async () => {
  await open({ trustedProxies: ['127.0.0.1'] });
  await send(startSession(), { 'x-forwarded-for': '198.51.100.1' });
  await until(() => answered.length === 1);
  expect(answered[0]!.ip).toBe('198.51.100.1');
});

describe('limits', () => {
  it('a session is one connection of its client', async () => {
    await open({ limits: { ...NO_LIMITS, connectionsPerClient: 1 } });
    const session = startSession();
    const replies = await Promise.all(Array.from({ length: 20 }, () => send(session)));
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
    await closeOf(startSession());
    session.close();
    await closeOf(session);
    await until(async () => {
      const next = startSession();
      const stream = ask(next, {});
      return Promise.race([
        replyTo(stream).then(({ status }) => status === 200),
        closeOf(next).then(() => false),
      ]);
    });
  });

  it('each stream is a running request', async () => {
    await open({ limits: { ...NO_LIMITS, requestsPerClient: 3 } });
    const waiting: ServerResponse[] = [];
    node.answer = (_request, response) => void waiting.push(response);
    const [one, other] = [startSession(), startSession()];
    const streams = [one, one, other].map((session, index) => ask(session, { ':path': `/api/v1/${index}` }));
    await until(() => waiting.length === 3);
    expect((await send(other)).status).toBe(429);
    streams[0]!.close();
    node.answer = json(200, {});
    await until(async () => (await send(other)).status === 200);
    for (const response of waiting) response.end('{}');
    expect(await Promise.all(streams.slice(1).map(async stream => (await replyTo(stream)).status))).toEqual([
      200, 200,
    ]);
  });

  it('requests count for the rate of their client, on all sessions together', async () => {
    await open({ rateLimit: { requests: 5, writes: 0, windowSeconds: 60 } });
    const all = [startSession(), startSession()];
    const statuses = [];
    for (let index = 0; index < 6; index += 1) statuses.push((await send(all[index % 2]!)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });
});

it('a stop lets running requests end', async () => {
  await open();
  let end: () => void = () => {};
  node.answer = (_request, response) => {
    end = () => response.end('{"late":true}');
  };
  const session = startSession();
  const idle = startSession();
  const running = send(session);
  await Promise.all([until(() => node.received.length === 1), once(idle, 'connect')]);
  const stopped = scene.gateway.stop();
  await Promise.all([once(session, 'goaway'), once(idle, 'close')]);
  end();
  expect(await running).toMatchObject({ status: 200, body: '{"late":true}' });
  await stopped;
  await until(() => session.closed);
});

it('requests, requests that are taken back and sessions that break off leave nothing', async () => {
  await open();
  const descriptors = () => readdirSync('/proc/self/fd').length;
  const round = async (work: (session: ClientHttp2Session) => Promise<unknown>) => {
    const session = startSession();
    await work(session);
    session.close();
    await once(session, 'close');
  };
  await round(send);
  const before = descriptors();
  for (let index = 0; index < 10; index += 1) {
    await round(session => Promise.all(Array.from({ length: 20 }, () => send(session))));
    await round(session =>
      Promise.all(
        Array.from({ length: 20 }, async () => {
          const stream = ask(session, { ':path': `/api/v1/${index}` });
          setImmediate(() => stream.close(8));
          await once(stream, 'close');
        }),
      ),
    );
    for (let count = 0; count < 2; count += 1) {
      const session = startSession();
      const streams = Array.from({ length: 3 }, () => ask(session, {}));
      await once(streams[0]!, 'ready');
      setImmediate(() => session.destroy());
      await once(session, 'close');
    }
  }
  sessions.length = 0;
  await until(() => descriptors() <= before);
  expect(
    (await send(startSession(), { authorization: `Bearer ${KEY}`, ':path': '/admin/state' })).status,
  ).toBe(200);
});
