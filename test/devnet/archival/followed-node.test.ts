import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { startScript } from '../../../testkit/child.js';

const SCRIPT = fileURLToPath(new URL('./followed-node-process.js', import.meta.url));
const LONG = 'x'.repeat(300_000);

it.each([
  ['a 503 in one piece', 'HTTP/1.1 503 Busy\r\ncontent-length: 4\r\n\r\nbusy'],
  ['an empty 500', 'HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n'],
  ['a long 404', `HTTP/1.1 404 No\r\ncontent-length: ${LONG.length}\r\n\r\n${LONG}`],
  ['half a 503', 'HTTP/1.1 503 Busy\r\ncontent-length: 9\r\n\r\nbusy'],
  ['half a 200', `HTTP/1.1 200 OK\r\ncontent-length: 999999\r\n\r\n${LONG}`],
  ['a redirection', 'HTTP/1.1 302 Found\r\nlocation: /\r\ncontent-length: 0\r\n\r\n'],
])('%s of the followed node is an error and does not end the process', async (_what, response) => {
  const server = createServer(socket => {
    socket.on('error', () => {});
    socket.on('data', () => {
      socket.write(response);
      setTimeout(() => socket.destroy(), 10);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { line } = await startScript(SCRIPT, [`http://127.0.0.1:${port}`], { stderr: 'ignore' });
  expect(line).toBe(Array(10).fill('FollowError').join(' '));
  server.close();
});
