import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Buildah } from '../../testkit/container/buildah.js';
import { buildInstalled } from '../../testkit/container/installed-image.js';
import { freePort } from '../../testkit/network/free-port.js';
import { root } from '../../testkit/repository/repository.js';

const IMAGE = 'zbc-signer-emulator';

const buildah = new Buildah();
const directory = mkdtempSync(join(tmpdir(), 'container-'));
let container: string;

beforeAll(() => {
  buildInstalled(buildah, IMAGE, join(root, 'emulator/deploy'), directory);
  container = buildah.from(IMAGE);
});

afterAll(() => {
  buildah.remove();
  rmSync(directory, { recursive: true, force: true });
});

test('the container runs as a user who can write neither to the system nor to the package', () => {
  const { User } = buildah.configOf(IMAGE);
  expect(User).toBe('node');
  expect(buildah.run(container, 'node', '-p', 'process.getuid()').trim()).toBe('1000');
  for (const path of ['/x', '/usr/local/lib/node_modules/zbc-signer/x']) {
    expect(buildah.tryWrite(container, path)).toBe('EACCES');
  }
  expect(buildah.tryWrite(container, '/tmp/x')).toBe('written');
});

test('the container answers REST requests, and its health check fails when the emulator does not answer', async () => {
  const { Entrypoint, Healthcheck } = buildah.configOf(IMAGE);
  const port = await freePort();
  const [kind, ...check] = Healthcheck.Test;
  expect([kind, check.join(' ')]).toEqual(['CMD', expect.stringContaining(':5000/')]);
  const atPort = check.map(word => word.replace(':5000/', `:${port}/`));
  expect(() => buildah.run(container, ...atPort)).toThrow('failed');

  const ports = ['--api-port', `${port}`, '--apdu-port', 'auto', '--ledger-port', 'auto'];
  const emulator = buildah.start(container, ...Entrypoint, ...ports, '--json');
  const ended = once(emulator, 'exit');
  try {
    const [line] = (await Promise.race([once(emulator.stdout!, 'data'), ended])) as [unknown];
    expect(JSON.parse(String(line))).toMatchObject({ ready: true });
    const events = await fetch(`http://127.0.0.1:${port}/events?currentscreenonly=true`);
    expect(await events.json()).toMatchObject({ events: [{ text: 'ZBC Signer' }, { text: 'is ready' }] });
    expect(buildah.run(container, ...atPort)).toBe('');
  } finally {
    process.kill(-emulator.pid!, 'SIGKILL');
    await ended;
  }
});
