import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpTransport } from '@zbc-signer/host/node';
import { bytesOf } from '../../../../testkit/repository/vectors.js';

const COMMAND = bytesOf('e003000000');

describe('HttpTransport', () => {
  let server: Server;
  let transport: HttpTransport;
  let place: string;

  beforeEach(async () => {
    server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    place = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    transport = new HttpTransport(`http://${place}/`);
  });

  afterEach(async () => {
    transport.close();
    server.closeAllConnections();
    if (server.listening) await new Promise(resolve => server.close(resolve));
  });

  async function request(): Promise<{ response: ServerResponse; body: string; message: IncomingMessage }> {
    const [message, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
    let body = '';
    for await (const chunk of message) {
      body += chunk;
    }
    return { response, body, message };
  }

  test('posts the command in hex and reads the reply', async () => {
    const reply = transport.exchange(COMMAND);
    const { response, body, message } = await request();
    expect([message.method, message.url]).toEqual(['POST', '/apdu']);
    expect(JSON.parse(body)).toEqual({ data: 'e003000000', channel: expect.any(Number) });
    response.end('{"data":"AAbb9000"}');
    expect(await reply).toEqual(bytesOf('aabb9000'));
  });

  test('reads a reply whose headers arrive long before its body, as during a review', async () => {
    const reply = transport.exchange(COMMAND);
    const { response } = await request();
    response.flushHeaders();
    await new Promise(resolve => setImmediate(resolve));
    response.write('{"data":');
    await new Promise(resolve => setImmediate(resolve));
    response.end('"6985"}');
    expect(await reply).toEqual(bytesOf('6985'));
  });

  test('an abort closes the connection and rejects the exchange', async () => {
    const abort = new AbortController();
    const review = transport.exchange(COMMAND, abort.signal);
    const { response } = await request();
    response.flushHeaders();
    const closed = once(response, 'close');
    abort.abort();
    await expect(review).rejects.toMatchObject({ code: 'ABORTED' });
    await closed;
  });

  test('reports that nothing listens at the address', async () => {
    await new Promise(resolve => server.close(resolve));
    await expect(transport.exchange(COMMAND)).rejects.toMatchObject({
      code: 'DEVICE_NOT_FOUND',
      message: `nothing listens at ${place}`,
    });
  });

  test.each(['before its headers', 'after its headers'])('fails when the connection ends %s', async when => {
    const review = transport.exchange(COMMAND);
    const { response } = await request();
    if (when === 'after its headers') {
      response.write('{"data"');
      await new Promise(resolve => setImmediate(resolve));
    }
    response.destroy();
    await expect(review).rejects.toMatchObject({ code: 'DEVICE_DISCONNECTED' });
  });

  test('fails if the HTTP status is not 200', async () => {
    const reply = transport.exchange(COMMAND);
    (await request()).response.writeHead(500).end('{"data":"9000"}');
    await expect(reply).rejects.toMatchObject({
      code: 'TRANSPORT_FAILED',
      message: `${place} answered with HTTP status 500`,
    });
  });

  test.each([404, 405])('reports that a server that answers %i is not an emulator', async status => {
    const reply = transport.exchange(COMMAND);
    (await request()).response.writeHead(status).end(`<html>${' '.repeat(5000)}`);
    await expect(reply).rejects.toMatchObject({
      code: 'TRANSPORT_FAILED',
      message: `${place} is not an emulator's REST address: it answered with HTTP status ${status}`,
      hint: 'Check the port. An emulator prints its REST address when it starts.',
    });
  });

  test.each([
    '',
    '{}',
    '[]',
    'null',
    '{"data":"9"}',
    '{"data":"zz"}',
    '{"data":7}',
    '<html>',
    `{"data":"9000"}${' '.repeat(5000)}`,
  ])('rejects the body "%.10s" as a reply', async body => {
    const reply = transport.exchange(COMMAND);
    (await request()).response.end(body);
    await expect(reply).rejects.toMatchObject({ code: 'INVALID_REPLY' });
  });

  test.each(['', 'localhost:5000', 'https://127.0.0.1', 'file:///etc'])('refuses the address "%s"', api => {
    expect(() => new HttpTransport(api)).toThrow('must start with http://');
  });

  test('close ends a waiting exchange', async () => {
    const review = transport.exchange(COMMAND);
    await request();
    transport.close();
    await expect(review).rejects.toMatchObject({ code: 'DEVICE_DISCONNECTED' });
  });
});
