import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createHttpServer } from '#gateway/http/http-server.js';
import { sendRaw } from '../../../testkit/gateway/raw-request.js';

const CONNECTIONS = { total: 0, perClient: 0, clientOf: () => undefined };

it.each([1000, 2000, 3000])('a header behind %i lines is not dropped', async count => {
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
