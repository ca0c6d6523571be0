import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { createHttpServer } from '#gateway/http/http-server.js';
import { sendRaw } from '../../../testkit/gateway/raw-request.js';

const CONNECTIONS = { total: 0, perClient: 0, clientOf: () => undefined };

test.each([1000, 2000, 3000])('a header after %i other header lines is not dropped', async count => {
  const server = createHttpServer(
    (request, response) => response.writeHead(200, { connection: 'close' }).end(request.headers['x-last']),
    { idleMs: 5000, connections: CONNECTIONS },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const head = `GET / HTTP/1.1\r\nHost: gateway.test\r\n${'a:\r\n'.repeat(count)}X-Last: seen\r\n\r\n`;
  const { body } = await sendRaw(`http://127.0.0.1:${port}`, head);
  server.close();
  expect(body).toContain('seen');
});

test('requests with many header lines that wait behind another request end their connection', async () => {
  let asked = 0;
  const server = createHttpServer(() => (asked += 1), { idleMs: 600_000, connections: CONNECTIONS });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  const closed = new Promise(resolve => socket.once('close', resolve));
  const head = `GET / HTTP/1.1\r\nHost: gateway.test\r\n${'a:\r\n'.repeat(3000)}\r\n`;
  socket.write(`GET / HTTP/1.1\r\nHost: gateway.test\r\n\r\n${head.repeat(3)}`);
  await closed;
  expect(asked).toBe(1);
  server.close();
});
