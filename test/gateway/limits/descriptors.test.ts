import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json, RecordingNode } from '../../../testkit/gateway/recording-node.js';
import { httpRequest } from '../../../testkit/network/http.js';
import { startGatewayProcess } from '../../../testkit/network/network-processes.js';
import { endProcess } from '../../../testkit/process/child.js';
import { until } from '../../../testkit/time/until.js';

const DESCRIPTORS = 200;
const CLIENTS = 2 * DESCRIPTORS;

test('clients that would use all descriptors are refused, so that nodes can still be reached', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'zbc-test.'));
  const node = await RecordingNode.start('full', json(200, { from: 'full' }));
  const gateway = await startGatewayProcess(
    directory,
    { static_nodes: [{ url: `http://${node.ip}:${node.port}` }], health_interval_ms: 100 },
    { before: ['prlimit', `--nofile=${DESCRIPTORS}`] },
  );
  const sockets = Array.from({ length: CLIENTS }, () => {
    const socket = connect(gateway.port, '127.0.0.1').on('error', () => {});
    return socket.resume();
  });
  try {
    const open = () => sockets.filter(socket => !socket.closed);
    await until(() => open().length <= DESCRIPTORS / 2);
    const { checks } = node;
    await until(() => node.checks > checks + 2);
    expect(readdirSync(`/proc/${gateway.child.pid}/fd`).length).toBeLessThan(DESCRIPTORS);
    const [one] = open();
    one!.write('GET /api/v1/x HTTP/1.1\r\nhost: gateway.test\r\n\r\n');
    const text = await new Promise<Buffer>(resolve => one!.once('data', resolve));
    expect(text.toString()).toMatch(/^HTTP\/1\.1 200 OK\r\n.*"from":"full"/s);
    for (const socket of sockets) socket.destroy();
    await until(async () => {
      const reply = await httpRequest('GET', `${gateway.url}/api/v1/x`).catch(() => undefined);
      return reply?.status === 200;
    });
  } finally {
    for (const socket of sockets) socket.destroy();
    await endProcess(gateway);
    await node.stop();
    rmSync(directory, { recursive: true });
  }
});
