import { once } from 'node:events';
import { connect } from 'node:net';
import { type Redirection, startRedirection } from '#gateway/http/redirection.js';
import { parseHost } from '#gateway/proxy/host-name.js';

const names = { gatewayHost: 'gateway.example', otherHosts: [], nodePort: 8884 };
let redirection: Redirection | undefined;
afterEach(() => redirection?.stop());

async function start(httpsPort: number): Promise<void> {
  redirection = await startRedirection({
    host: '127.0.0.1',
    port: 0,
    httpsPort,
    answersFor: (host, { socket }) => {
      try {
        const asked = parseHost(host, names, socket.localAddress ?? '');
        return asked === 'gateway' || asked.ip === '192.0.2.1';
      } catch {
        return false;
      }
    },
  });
}

/** All that comes back for these bytes until the connection is closed. */
async function send(head: string): Promise<string> {
  const socket = connect(redirection!.port, '127.0.0.1').setEncoding('latin1');
  socket.write(`${head}\r\n\r\n`);
  let answer = '';
  socket.on('data', (piece: string) => {
    answer += piece;
  });
  await once(socket, 'close');
  return answer;
}

const locationOf = (answer: string) => /^location: (.*)\r$/im.exec(answer)?.[1];

it.each([
  ['GET /a/b?c=d HTTP/1.1\r\nHost: gateway.example', 'https://gateway.example:8883/a/b?c=d'],
  ['POST / HTTP/1.1\r\nHost: gateway.example:80\r\nContent-Length: 0', 'https://gateway.example:8883/'],
  ['GET / HTTP/1.1\r\nHost: ip-192-0-2-1.gateway.example', 'https://ip-192-0-2-1.gateway.example:8883/'],
  ['GET / HTTP/1.1\r\nHost: 127.0.0.1:8080', 'https://127.0.0.1:8883/'],
  ['GET //evil.example HTTP/1.1\r\nHost: gateway.example', 'https://gateway.example:8883//evil.example'],
])('%j goes to %s', async (head, location) => {
  await start(8883);
  const answer = await send(head);
  expect(answer).toMatch(/^HTTP\/1\.1 308 /);
  expect(locationOf(answer)).toBe(location);
});

it('omits the default HTTPS port', async () => {
  await start(443);
  expect(locationOf(await send('GET /x HTTP/1.1\r\nHost: gateway.example:80'))).toBe(
    'https://gateway.example/x',
  );
});

it.each([
  [403, 'GET / HTTP/1.1\r\nHost: evil.example'],
  [403, 'GET / HTTP/1.1\r\nHost: gateway.example.'],
  [403, 'GET / HTTP/1.1\r\nHost: gateway.example@evil.example'],
  [403, 'GET / HTTP/1.1\r\nHost: evil.example/gateway.example'],
  [403, 'GET / HTTP/1.1\r\nHost: ip-192-0-2-2.gateway.example'],
  [403, 'GET / HTTP/1.0'],
  [400, 'GET http://evil.example/ HTTP/1.1\r\nHost: gateway.example'],
  [400, 'OPTIONS * HTTP/1.1\r\nHost: gateway.example'],
])('answers %s to %j without a redirection', async (status, head) => {
  await start(8883);
  const answer = await send(head);
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(locationOf(answer)).toBeUndefined();
  expect(JSON.parse(answer.split('\r\n\r\n')[1]!.replace(/^[0-9a-f]+\r\n|\r\n0$/g, ''))).toMatchObject({
    success: false,
    code: status,
  });
});

it('takes one request per connection', async () => {
  await start(8883);
  const two = 'GET / HTTP/1.1\r\nHost: gateway.example\r\n\r\nGET /second HTTP/1.1\r\nHost: gateway.example';
  expect((await send(two)).match(/HTTP\/1\.1/g)).toHaveLength(1);
});
