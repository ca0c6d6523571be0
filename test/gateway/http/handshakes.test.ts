import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { writeCertificate } from '../../../testkit/gateway/certificate.js';
import { GatewayFixture } from '../../../testkit/gateway/gateway-fixture.js';
import { openTestDirectory } from '../../../testkit/process/temporary-directory.js';
import { until } from '../../../testkit/time/until.js';

const directory = openTestDirectory();
let fixture: GatewayFixture;

beforeEach(async () => {
  fixture = await GatewayFixture.open([], {
    tls: (await writeCertificate(directory)).tls,
  });
});
afterEach(() => fixture.close());

const port = () => Number(new URL(fixture.gateway.url).port);

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

test('a connection without a handshake is closed after ten seconds', async () => {
  const [silent] = await open(1);
  const [atMs, startedMs] = [Date.now(), performance.now()];
  await once(silent!.resume(), 'close');
  expect(Date.now() - atMs).toBeGreaterThan(9500);
  expect(performance.now() - startedMs).toBeLessThan(10_500);
});

test.each([
  ['nothing', ''],
  ['half a handshake', '\x16\x03\x01\x02\x00\x01'],
  ['plain HTTP', 'GET / HTTP/1.1\r\n\r\n'],
])('a connection that is closed after it sent %s leaves no open descriptor', async (_what, text) => {
  const before = sockets();
  const opened = await open(50);
  for (const socket of opened) socket.end(text, 'latin1').resume();
  await new Promise(resolve => setTimeout(resolve, 100));
  for (const socket of opened) socket.destroy();
  await until(() => sockets() <= before);
});

test('a connection without a handshake does not delay the stop of the gateway', async () => {
  await open(3);
  const startedMs = performance.now();
  await fixture.gateway.stop();
  expect(performance.now() - startedMs).toBeLessThan(2000);
});

test('a handshake succeeds alongside silent connections', async () => {
  await open(20);
  const secure = connectTls({ port: port(), host: '127.0.0.1', rejectUnauthorized: false });
  await once(secure, 'secureConnect');
  expect(secure.getProtocol()).toBe('TLSv1.3');
  secure.destroy();
});
