import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EventStreams } from '#gateway/push/event-streams.js';
import { until } from '../../../testkit/time/until.js';

test('a stream ends if its client does not read', async () => {
  const streams = new EventStreams({ total: 1, perClient: 1 }, 3_600_000);
  let closed = 0;
  const stream = streams.open('client', () => {
    closed += 1;
  });
  const server = createServer((_request, response) => void stream.body.pipe(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const asked = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false });
  asked.on('error', () => {});
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.on('error', () => {}).pause();
  let sent = 0;
  await until(() => {
    if (!stream.body.destroyed) stream.send('block', String(sent++), { text: 'x'.repeat(10_000) });
    return closed === 1;
  });
  // A closed stream no longer counts.
  expect(() => streams.open('client', () => {})).not.toThrow();
  expect(sent).toBeGreaterThan(5);
  streams.close();
  server.closeAllConnections();
  server.close();
});

test('a stream sends comments to show that it is alive', async () => {
  const streams = new EventStreams({ total: 0, perClient: 0 }, 1);
  const stream = streams.open('client', () => {});
  stream.body.setEncoding('utf8');
  const [text] = await once(stream.body, 'data');
  expect(text).toMatch(/^(:\n\n)+$/);
  streams.close();
});
