import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { errorOf, GatewayFixture } from '../../../testkit/gateway/gateway-fixture.js';
import { getRaw } from '../../../testkit/gateway/raw-request.js';
import { TestDirectory } from './test-directory.js';

let directory: TestDirectory;
let fixture: GatewayFixture;

beforeEach(async () => {
  directory = new TestDirectory();
  fixture = await GatewayFixture.open([], { releasesDir: directory.path });
});

afterEach(async () => {
  await fixture.close();
  directory.remove();
});

const latest = async () => JSON.parse((await fixture.get('/releases/latest')).body.toString());

describe('GET /releases/latest', () => {
  test('lists the bundles of the highest version', async () => {
    directory.write('0.9.0/x86_64/old.tar.gz', 'old');
    directory.write('0.10.0/x86_64/zbc-node.tar.gz', randomBytes(200_000));
    directory.write('0.10.0/aarch64/zbc-node-arm.tar.gz', '');
    expect(await latest()).toEqual({
      version: '0.10.0',
      files: [
        {
          arch: 'aarch64',
          url: '/releases/0.10.0/aarch64/',
          name: 'zbc-node-arm.tar.gz',
          size: 0,
        },
        {
          arch: 'x86_64',
          url: '/releases/0.10.0/x86_64/',
          name: 'zbc-node.tar.gz',
          size: 200_000,
        },
      ],
    });
  });

  test('skips prereleases above a release, versions without a bundle, other directories, and links', async () => {
    directory.write('1.2.0-rc.1/x/bundle', 'x');
    expect((await latest()).version).toBe('1.2.0-rc.1');
    directory.write('1.1.0/x/bundle', 'x');
    directory.write('1.3.0/x/one', 'x');
    directory.write('1.3.0/x/two', 'x');
    directory.write('nightly/x/bundle', 'x');
    directory.write('1.4.0', 'a file');
    mkdirSync(join(directory.path, '1.5.0/x/bundle'), { recursive: true });
    symlinkSync(join(directory.path, '1.1.0'), join(directory.path, '9.0.0'));
    expect((await latest()).version).toBe('1.1.0');
    directory.write('1.2.0/x/bundle', 'x');
    expect((await latest()).version).toBe('1.2.0');
  });

  test('logs that a release is not served because of a stray file', async () => {
    const lines: string[] = [];
    const logger = {
      level: 'warn',
      stream: { write: (line: string) => void lines.push(JSON.parse(line).msg) },
    };
    const other = await GatewayFixture.open([], { releasesDir: directory.path }, { logger });
    directory.write('1.3.0/x/one', 'x');
    directory.write('1.3.0/x/SHA256SUMS', 'x');
    for (const path of ['/releases/latest', '/releases/1.3.0/x/']) {
      lines.length = 0;
      expect((await other.get(path)).status).toBe(404);
      expect(lines).toEqual([expect.stringContaining(join(directory.path, '1.3.0/x'))]);
    }
    await other.close();
  });

  test('is 404 with a body if there is no release', async () => {
    const reply = await fixture.get('/releases/latest');
    expect([reply.status, errorOf(reply).error]).toEqual([404, 'This gateway has no release']);
  });
});

test('treats the highest version as the latest, and prereleases as older than releases', async () => {
  const ordered = [
    ...['1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta.2', '1.0.0-beta.11', '1.0.0-rc.1'],
    ...['2.0.0-1', '2.0.0-a', '0.9.9', '1.0.0', 'v1.9.0', '1.10.0', '10.0.0'],
  ];
  for (const version of ordered) {
    directory.write(`${version}/x/bundle`, 'x');
    expect((await latest()).version).toBe(version);
  }
  for (const name of ['11.0', '11.0.0.0', 'latest', '11.0.0-a..b', '11.0.x'])
    directory.write(`${name}/x/bundle`, 'x');
  expect((await latest()).version).toBe('10.0.0');
});

describe('GET /releases/<version>/<arch>/', () => {
  test('sends the bundle as an attachment', async () => {
    const content = randomBytes(1000);
    directory.write('1.0.0/x86_64/zbc-node.tar.gz', content);
    directory.write('1.0.0/x86_64/.DS_Store', 'not published');
    const { status, headers, body } = await fixture.get('/releases/1.0.0/x86_64/');
    expect([status, body.equals(content)]).toEqual([200, true]);
    expect(headers['content-disposition']).toBe('attachment; filename="zbc-node.tar.gz"');
    expect(headers['content-type']).toBe('application/octet-stream');
    expect(headers['content-security-policy']).toContain('sandbox');
    expect((await fixture.head('/releases/1.0.0/x86_64/')).headers['content-length']).toBe('1000');
    expect((await fixture.get('/releases/1.0.0/x86_64/', { range: 'bytes=1-9' })).status).toBe(206);
  });

  test.each([
    '/releases/1.0.0/y/',
    '/releases/2.0.0/x/',
    '/releases/1.0.0/pipe/',
    '/releases/1.0.0/two/',
    '/releases/1.0.0/',
    '/releases/1.0.0/x/bundle',
    '/releases/.git/x/',
    `/releases/1.0.0/${'x'.repeat(300)}/`,
  ])('serves no file for %s', async path => {
    directory.write('1.0.0/x/bundle', 'x');
    directory.write('1.0.0/two/one', 'x');
    directory.write('1.0.0/two/two', 'x');
    directory.write('.git/x/config', 'x');
    mkdirSync(join(directory.path, '1.0.0/pipe'));
    execFileSync('mkfifo', [join(directory.path, '1.0.0/pipe/pipe')]);
    const { status, body } = await getRaw(fixture.gateway.url, path, 'gateway.test');
    expect([400, 404, 414]).toContain(status);
    expect(JSON.parse(body)).toMatchObject({ success: false, code: status });
  });
});
