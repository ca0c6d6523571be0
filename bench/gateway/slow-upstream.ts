// A node that gives every GET the same answer. After `GET /slow/MS`, it delays all answers except to health
// checks.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const INFO = JSON.stringify({ genesis_hash: 'a1'.repeat(32), height: 7 });
const SLOW = '/slow/';
const KEEP_ALIVE_MS = 65_000;
let delayMs = 0;

const server = createServer((request, response) => {
  const { url = '', headers } = request;
  if (url.startsWith(SLOW)) delayMs = Number(url.slice(SLOW.length));
  const answer = () => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': INFO.length });
    response.end(INFO);
  };
  // Only requests that the gateway forwards for clients have the header Via.
  if (delayMs === 0 || headers.via === undefined) answer();
  else setTimeout(answer, delayMs);
});
server.keepAliveTimeout = KEEP_ALIVE_MS;
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
