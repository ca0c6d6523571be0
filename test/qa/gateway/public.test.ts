import { join } from 'node:path';
import { startScript } from '../../../testkit/process/child.js';
import { root } from '../../../testkit/repository/repository.js';

const FULL = '11.0.0.1';
const ARCHIVAL = '11.0.0.2';
/** In this namespace, which no packet leaves, the addresses belong to this machine. */
const NAMESPACE = ['unshare', '--map-root-user', '--net', 'sh', '-c'];
const SETUP = `ip link set lo up && ip addr add ${FULL}/32 dev lo && ip addr add ${ARCHIVAL}/32 dev lo && exec "$@"`;

test('a gateway in public mode finds a full node with a public address, and sends transactions to it', async () => {
  const script = join(root, 'dist/test/qa/gateway/public-network.js');
  const before = [...NAMESPACE, SETUP, 'sh'];
  const { line } = await startScript(script, [FULL, ARCHIVAL], { before });
  const node = { answers: true, port: 8884, ip: FULL, role: 'full', source: 'registry' };
  expect(JSON.parse(line)).toEqual({
    allowlist: [{ ...node, port: 8885, ip: ARCHIVAL, role: 'archival', source: 'static' }, node],
    broadcast: 400,
  });
});
