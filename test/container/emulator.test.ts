import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fillBaseImage } from '../../testkit/container/base-image.js';
import { Buildah } from '../../testkit/container/buildah.js';
import { freePort } from '../../testkit/free-port.js';
import { npm } from '../../testkit/packages/npm.js';
import { tarballPath } from '../../testkit/packages/tarballs.js';
import { root } from '../../testkit/repository.js';

const IMAGE = 'zbc-signer-emulator';
const CONTAINERFILE = join(root, 'emulator/deploy/Containerfile');
const BASE = 'docker.io/library/node:22-bookworm-slim';
const BASE_FILE = `FROM scratch
COPY files /
ENV PATH=/usr/local/bin:/usr/bin:/bin npm_config_offline=true npm_config_cache=/offline/cache
`;

const buildah = new Buildah();
const directory = mkdtempSync(join(tmpdir(), 'container-'));
let container: string;

/** What the file installs, and an npm cache that has all that it needs: the build reaches no registry. */
function prepareInstallation(): string {
  const offline = join(directory, 'offline');
  mkdirSync(join(offline, 'project'), { recursive: true });
  const tarball = tarballPath('cli');
  copyFileSync(tarball, join(offline, basename(tarball)));
  writeFileSync(join(offline, 'project/package.json'), '{"private":true}');
  const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--cache', join(offline, 'cache')];
  npm([...words, tarball], join(offline, 'project'));
  return offline;
}

beforeAll(() => {
  const base = join(directory, 'base');
  fillBaseImage(join(base, 'files'));
  writeFileSync(join(base, 'Containerfile'), BASE_FILE);
  buildah.build(BASE, base);
  const offline = prepareInstallation();
  const tarball = join('/offline', basename(tarballPath('cli')));
  buildah.build(
    IMAGE,
    join(root, 'emulator/deploy'),
    ...['--file', CONTAINERFILE, '--build-arg', `PACKAGE=${tarball}`, '--volume', `${offline}:/offline`],
  );
  container = buildah.from(IMAGE);
});

afterAll(() => {
  buildah.remove();
  rmSync(directory, { recursive: true, force: true });
});

const writing = (path: string) =>
  `try { fs.writeFileSync('${path}', ''); console.log('written') } catch (error) { console.log(error.code) }`;

it('runs as a user who can write neither to the system nor to the package', () => {
  const { User } = buildah.configOf(IMAGE);
  expect(User).toBe('node');
  expect(buildah.run(container, 'node', '-p', 'process.getuid()').trim()).toBe('1000');
  for (const path of ['/x', '/usr/local/lib/node_modules/zbc-signer/x']) {
    expect(buildah.run(container, 'node', '-e', writing(path)).trim()).toBe('EACCES');
  }
  expect(buildah.run(container, 'node', '-e', writing('/tmp/x')).trim()).toBe('written');
});

it('answers REST and the command of its health check, which fails when nobody answers', async () => {
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
