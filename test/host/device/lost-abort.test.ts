import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { GatewayClient, SignerSession, type Transport } from '@zbc-signer/host';
import { collectingGarbage } from '../../../testkit/process/collect-garbage.js';

describe('an AbortSignal.timeout that is not referenced elsewhere', () => {
  const silent: Transport = { exchange: () => new Promise(() => {}), close: () => {} };

  test('ends a call to a session whose device is silent', async () => {
    const call = new SignerSession(silent).getVersion({ signal: AbortSignal.timeout(200) });
    await expect(collectingGarbage(call)).rejects.toMatchObject({ code: 'ABORTED' });
  });

  test('ends a wait for a silent device to be ready', async () => {
    const wait = new SignerSession(silent).waitUntilReady({ signal: AbortSignal.timeout(200) });
    await expect(collectingGarbage(wait)).rejects.toMatchObject({ code: 'DEVICE_UNRESPONSIVE' });
  });

  test('ends a request to a gateway that is silent', async () => {
    const fetch = () => new Promise<Response>(() => {});
    const client = new GatewayClient('http://gateway.example', { fetch });
    const request = client.nodeInfo({ signal: AbortSignal.timeout(200) });
    await expect(collectingGarbage(request)).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

test('the time limit of a client ends a request to a gateway that is silent', async () => {
  const fetch = () => new Promise<Response>(() => {});
  const request = new GatewayClient('http://gateway.example', { fetch, timeoutMs: 200 }).nodeInfo();
  await expect(collectingGarbage(request)).rejects.toMatchObject({ code: 'GATEWAY_UNREACHABLE' });
});

test.each([
  ['the caller aborts', 'ABORTED'],
  ['the time limit is reached', 'GATEWAY_UNREACHABLE'],
])('a response body that neither ends nor fails is given up when %s', async (_, code) => {
  const leave = new AbortController();
  const fetch = async () => {
    const start = (stream: ReadableStreamDefaultController) => stream.enqueue(Buffer.from('{"height":'));
    if (code === 'ABORTED') setTimeout(() => leave.abort(), 50);
    return new Response(new ReadableStream({ start }));
  };
  const client = new GatewayClient('http://gateway.example', {
    fetch,
    timeoutMs: code === 'ABORTED' ? 60_000 : 50,
  });
  await expect(client.blockchainStatus({ signal: leave.signal })).rejects.toMatchObject({ code });
});

/**
 * After the last byte, Node's fetch no longer passes an abort on to the body. The body then neither ends nor
 * fails.
 */
describe('an abort after the last byte of an answer, before its end is read', () => {
  const LAST_BYTE = 'undici:request:trailers';
  const TEXT = `{"height":12,"rest":"${'x'.repeat(60_000)}"}`;
  let server: Server;
  let url: string;
  let abort: () => void;
  const onLastByte = (message: unknown) => {
    const { request } = message as { request: { origin: string } };
    if (request.origin === url) abort();
  };
  beforeEach(async () => {
    server = createServer(({ url: path }, response) => {
      const isPacked = path !== '/plain/api/v1/blockchain/status';
      // The head is sent first, so that the client has it before the last byte arrives.
      response.writeHead(200, isPacked ? { 'content-encoding': 'gzip' } : {}).flushHeaders();
      setTimeout(() => response.end(isPacked ? gzipSync(TEXT) : '{"height":12}'), 50);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    subscribe(LAST_BYTE, onLastByte);
  });
  afterEach(async () => {
    unsubscribe(LAST_BYTE, onLastByte);
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  test.each([
    ['plain', process.nextTick],
    ['packed', process.nextTick],
    ['packed', setImmediate],
  ])('rejects the request, for a %s answer that is aborted through %p', async (kind, later) => {
    const leave = new AbortController();
    abort = () => later(() => leave.abort());
    const read = new GatewayClient(`${url}/${kind}`).blockchainStatus({ signal: leave.signal });
    await expect(read).rejects.toMatchObject({ code: 'ABORTED' });
  });

  test.each(['plain', 'packed'])(
    'is the cause of the rejection: without it, a %s answer is returned',
    async kind => {
      let ends = 0;
      abort = () => void (ends += 1);
      expect(await new GatewayClient(`${url}/${kind}`).blockchainStatus()).toMatchObject({ height: 12n });
      expect(ends).toBe(1);
    },
  );
});
