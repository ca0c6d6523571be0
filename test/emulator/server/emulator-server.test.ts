import { once } from 'node:events';
import { connect } from 'node:net';
import { PortInUseError, startEmulatorServer } from '@zbc-signer/emulator';
import { startServer } from '../../../testkit/device/device-host.js';
import { httpRequest, openRequest } from '../../../testkit/network/http.js';

const portOf = (url: string) => Number(new URL(url).port);

const isOpen = (port: number) =>
  new Promise<boolean>(resolve => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });

test('closes every server, held replies and event streams included', async () => {
  const server = await startServer();
  const { response: stream } = await openRequest('GET', `${server.api}/events?stream=true`);
  const cut = once(stream, 'error');
  const held = httpRequest('POST', `${server.api}/apdu`, { body: '{"data":"e00501000400000000"}' }).catch(
    () => 'cut',
  );
  await server.emulator.waitForReview();
  const ports = [portOf(server.api), server.apduPort, portOf(server.ledger)];
  expect(await Promise.all(ports.map(isOpen))).toEqual([true, true, true]);
  await server.close();
  expect(await held).toBe('cut');
  await cut;
  expect(await Promise.all(ports.map(isOpen))).toEqual([false, false, false]);
});

test('disables the servers whose port is 0', async () => {
  const server = await startServer({ apduPort: 0, ledgerPort: 0 });
  expect([server.apduPort, server.ledger]).toEqual([0, '']);
  expect((await httpRequest('GET', `${server.api}/`)).status).toBe(200);
  await server.close();
});

test.each(['apiPort', 'apduPort', 'ledgerPort'] as const)(
  'reports a %s that is in use, and leaves no port open',
  async name => {
    const first = await startServer();
    const taken = portOf(first.api);
    const free = await startServer({ apduPort: 0, ledgerPort: 0 });
    const other = portOf(free.api);
    await free.close();
    const ports = {
      apiPort: 0,
      apduPort: 0,
      ledgerPort: 0,
      [name === 'apiPort' ? 'ledgerPort' : 'apiPort']: other,
    };
    const clash = startEmulatorServer({ ...ports, [name]: taken });
    await expect(clash).rejects.toBeInstanceOf(PortInUseError);
    await expect(clash).rejects.toThrow(`port ${taken} on 127.0.0.1 is in use`);
    expect(await isOpen(other)).toBe(false);
    await first.close();
  },
);

test('reports a host that it cannot listen on', async () => {
  await expect(startServer({ host: '192.0.2.1' })).rejects.toMatchObject({ code: 'LISTEN_FAILED' });
});
