import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { GatewayScene } from '../../../testkit/gateway/gateway-scene.js';
import { until } from '../../../testkit/time/until.js';

let scene: GatewayScene;

beforeEach(async () => {
  scene = await GatewayScene.open([], { tls: { selfSigned: true } });
});
afterEach(() => scene.close());

const port = () => Number(new URL(scene.gateway.url).port);

const sockets = () =>
  readdirSync('/proc/self/fd').filter(fd => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith('socket:');
    } catch {
      return false;
    }
  }).length;

async function open(count: number): Promise<Socket[]> {
  const opened = Array.from({ length: count }, () => connect(port(), '127.0.0.1').on('error', () => {}));
  await Promise.all(opened.map(socket => once(socket, 'connect')));
  return opened;
}

it('a connection without a handshake is closed after ten seconds', async () => {
  const [silent] = await open(1);
  const [atMs, startedMs] = [Date.now(), performance.now()];
  await once(silent!.resume(), 'close');
  expect(Date.now() - atMs).toBeGreaterThan(9500);
  expect(performance.now() - startedMs).toBeLessThan(10_500);
});

it.each([
  ['nothing', ''],
  ['half a handshake', '\x16\x03\x01\x02\x00\x01'],
  ['plain HTTP', 'GET / HTTP/1.1\r\n\r\n'],
])('a connection with %s that ends leaves no descriptor', async (_what, text) => {
  const before = sockets();
  const opened = await open(50);
  for (const socket of opened) socket.end(text, 'latin1').resume();
  await new Promise(resolve => setTimeout(resolve, 100));
  for (const socket of opened) socket.destroy();
  await until(() => sockets() <= before);
});

it('a connection without a handshake does not delay the stop', async () => {
  await open(3);
  const startedMs = performance.now();
  await scene.gateway.stop();
  expect(performance.now() - startedMs).toBeLessThan(2000);
});

it('a handshake works beside silent connections', async () => {
  await open(20);
  const secure = connectTls({ port: port(), host: '127.0.0.1', rejectUnauthorized: false });
  await once(secure, 'secureConnect');
  expect(secure.getProtocol()).toBe('TLSv1.3');
  secure.destroy();
});
