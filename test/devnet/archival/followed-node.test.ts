import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { FollowedNode } from '#devnet/archival/followed-node.js';
import { startScript } from '../../../testkit/process/child.js';

const SCRIPT = fileURLToPath(new URL('./followed-node-process.js', import.meta.url));
const LONG = 'x'.repeat(300_000);

const RESPONSES = [
  ['a 503 in one piece', 'HTTP/1.1 503 Busy\r\ncontent-length: 4\r\n\r\nbusy'],
  ['an empty 500', 'HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n'],
  ['a long 404', `HTTP/1.1 404 No\r\ncontent-length: ${LONG.length}\r\n\r\n${LONG}`],
  ['half a 503', 'HTTP/1.1 503 Busy\r\ncontent-length: 9\r\n\r\nbusy'],
  ['half a 200', `HTTP/1.1 200 OK\r\ncontent-length: 999999\r\n\r\n${LONG}`],
  ['a redirection', 'HTTP/1.1 302 Found\r\nlocation: /\r\ncontent-length: 0\r\n\r\n'],
] as const;

/** Starts a node that closes the connection after each response. */
async function startNode(response: string): Promise<Server> {
  const server = createServer(socket => {
    socket.on('error', () => {});
    socket.on('data', () => {
      socket.write(response, () => setTimeout(() => socket.destroy(), 10));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function urlOf(node: Server): string {
  return `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
}

describe('a process that follows nodes', () => {
  let failures: string[][];
  beforeAll(async () => {
    const nodes = await Promise.all(RESPONSES.map(([, response]) => startNode(response)));
    const urls = nodes.map(urlOf);
    const { line } = await startScript(SCRIPT, urls, { stderr: 'ignore' });
    failures = JSON.parse(line);
    for (const node of nodes) node.close();
  });

  test.each(RESPONSES.map(([name], at) => [name, at] as const))(
    'reports %s as an error and continues',
    (_name, at) => expect(failures[at]).toEqual(Array(10).fill('FollowError')),
  );
});

test.each([
  ['numbers', '0,'],
  ['lists', '[],'],
  ['objects', '{"a":{}},'],
])('an answer with too many %s is refused before it fills the memory', async (_name, piece) => {
  const body = `{"blocks":[${piece.repeat(600_000)}0]}`;
  const node = await startNode(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  const followed = new FollowedNode(urlOf(node), new AbortController().signal);
  await expect(followed.blocks(0n, 1, 0)).rejects.toThrow('more than 500000 values');
  await followed.close();
  node.close();
});
