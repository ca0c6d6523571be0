import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Buildah } from '../../testkit/container/buildah.js';
import { buildInstalled } from '../../testkit/container/installed-image.js';
import { json, RecordingNode } from '../../testkit/gateway/recording-node.js';
import { freePort } from '../../testkit/network/free-port.js';
import { httpRequest } from '../../testkit/network/http.js';
import { root } from '../../testkit/repository/repository.js';

const IMAGE = 'zbc-gateway';
const KEY = 'k'.repeat(43);
const STATE = '/var/lib/zbc-gateway/allowlist.json';

const buildah = new Buildah();
const directory = mkdtempSync(join(tmpdir(), 'container-'));
let container: string;
let node: RecordingNode;

beforeAll(async () => {
  buildInstalled(buildah, IMAGE, join(root, 'gateway/deploy'), directory);
  container = buildah.from(IMAGE);
  node = await RecordingNode.start('full', json(200, { from: 'full' }));
});

afterAll(async () => {
  await node.stop();
  buildah.remove();
  rmSync(directory, { recursive: true, force: true });
});

test('the container runs as a user who can write only to the directory of the state', () => {
  expect(buildah.configOf(IMAGE).User).toBe('node');
  expect(buildah.run(container, 'node', '-p', 'process.getuid()').trim()).toBe('1000');
  for (const path of ['/x', '/etc/x', '/usr/local/lib/node_modules/zbc-signer/x']) {
    expect(buildah.tryWrite(container, path)).toBe('EACCES');
  }
  expect(buildah.tryWrite(container, '/var/lib/zbc-gateway/x')).toBe('written');
});

test('the container answers from a node, keeps its state, and passes its health check', async () => {
  const port = await freePort();
  const file = join(directory, 'gateway.json');
  const config = {
    gateway_host: 'gateway.test',
    admin_api_key: KEY,
    listen: `127.0.0.1:${port}`,
    state_file: STATE,
    static_nodes: [{ url: `http://${node.ip}:${node.port}` }],
  };
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  buildah.copy(container, file, '/etc/zbc-gateway/gateway.json');
  const { Entrypoint, Healthcheck } = buildah.configOf(IMAGE);
  const [kind, ...check] = Healthcheck.Test;
  expect([kind, check.slice(0, 3)]).toEqual(['CMD', ['zbc-signer', 'gateway', 'check']]);
  expect(() => buildah.run(container, ...check)).toThrow('failed');

  const gateway = buildah.start(container, ...Entrypoint, '--json', '--log-level', 'error');
  const ended = once(gateway, 'exit');
  try {
    const [line] = (await Promise.race([once(gateway.stdout!, 'data'), ended])) as [unknown];
    expect(JSON.parse(String(line))).toMatchObject({ ready: true });
    expect(buildah.run(container, ...check)).toContain('answers');
    const url = `http://127.0.0.1:${port}`;
    const answer = await httpRequest('GET', `${url}/api/v1/x`);
    expect([answer.status, JSON.parse(answer.body.toString())]).toEqual([200, { from: 'full' }]);
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ ip: '192.0.2.1', port: 1 });
    const changed = await httpRequest('POST', `${url}/gateway/allowlist/remove`, { headers, body });
    expect(changed.status).toBe(200);
    const kept = buildah.run(container, 'node', '-p', `fs.readFileSync('${STATE}', 'utf8')`);
    expect(JSON.parse(kept).removed).toEqual([{ ip: '192.0.2.1', port: 1 }]);
  } finally {
    process.kill(-gateway.pid!, 'SIGKILL');
    await ended;
  }
});
