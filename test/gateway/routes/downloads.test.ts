import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { closeFile, openPublished } from '#gateway/files/published-file.js';
import { errorOf, GatewayFixture } from '../../../testkit/gateway/gateway-fixture.js';
import { httpRequest, openRequest } from '../../../testkit/network/http.js';
import { until } from '../../../testkit/time/until.js';
import { TestDirectory } from './test-directory.js';

const CONTENT = randomBytes(300_000);

let directory: TestDirectory;
let fixture: GatewayFixture;

beforeAll(async () => {
  directory = new TestDirectory();
  const published = join(directory.path, 'published');
  directory.write('secret.txt', 'not published');
  directory.write('published/wallet-1.0_x64.zip', CONTENT);
  directory.write('published/empty', '');
  directory.write('published/page.html', '<script>alert(1)</script>');
  directory.write('published/.hidden', 'not published');
  directory.write('published/inner/file.txt', 'not published');
  directory.write('published/with space', 'not published');
  mkdirSync(join(published, 'directory'));
  symlinkSync(join(directory.path, 'secret.txt'), join(published, 'link'));
  symlinkSync('page.html', join(published, 'inner-link'));
  symlinkSync('/dev/zero', join(published, 'zero'));
  execFileSync('mkfifo', [join(published, 'pipe')]);
  fixture = await GatewayFixture.open([], { downloadsDir: published });
});

afterAll(async () => {
  await fixture.close();
  directory.remove();
});

const ask = (path: string, headers: Record<string, string> = {}) => fixture.get(path, headers);
const FILE = '/dl/wallet-1.0_x64.zip';

describe('a file', () => {
  test('is sent as an attachment that browsers do not render', async () => {
    const { status, headers, body } = await ask(FILE);
    expect([status, body.equals(CONTENT)]).toEqual([200, true]);
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '300000',
      'content-disposition': 'attachment; filename="wallet-1.0_x64.zip"',
      'content-security-policy': expect.stringContaining('sandbox'),
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
    });
  });

  test('is an attachment even if it is HTML', async () => {
    const { headers } = await ask('/dl/page.html');
    expect(headers['content-type']).toBe('application/octet-stream');
    expect(headers['content-disposition']).toBe('attachment; filename="page.html"');
  });

  test('may be empty', async () => {
    const { status, headers, body } = await ask('/dl/empty');
    expect([status, headers['content-length'], body.length]).toEqual([200, '0', 0]);
  });

  test('supports HEAD', async () => {
    const { status, headers, body } = await fixture.head(FILE);
    expect([status, headers['content-length'], body.length]).toEqual([200, '300000', 0]);
    expect((await fixture.head('/dl/nothing')).status).toBe(404);
  });

  test.each([
    ['bytes=0-0', 0, 0],
    ['bytes=100-299999', 100, 299_999],
    ['bytes=299999-', 299_999, 299_999],
    ['bytes=1000-999999999', 1000, 299_999],
    ['bytes=-5', 299_995, 299_999],
    ['bytes=-999999', 0, 299_999],
  ])('resumes a download: %s', async (range, start, end) => {
    const { status, headers, body } = await ask(FILE, { range });
    expect([status, headers['content-range']]).toEqual([206, `bytes ${start}-${end}/300000`]);
    expect(body.equals(CONTENT.subarray(start, end + 1))).toBe(true);
  });

  test.each(['bytes=300000-', 'bytes=-0', 'bytes=999999-9999999'])('is 416 for %s', async range => {
    const reply = await ask(FILE, { range });
    expect([reply.status, reply.headers['content-range']]).toEqual([416, 'bytes */300000']);
    expect(errorOf(reply).code).toBe(416);
  });

  test.each(['bytes=5-4', 'bytes=0-1,5-6', 'bytes=a-b', 'bytes=-', 'lines=1-2', `bytes=${'9'.repeat(400)}-`])(
    'is sent whole for a range that is not supported: %s',
    async range => {
      const { status, body } = await ask(FILE, { range });
      expect([status, body.equals(CONTENT)]).toEqual([200, true]);
    },
  );

  test('supports If-None-Match and If-Range', async () => {
    const { etag } = (await ask(FILE)).headers;
    const known = await ask(FILE, { 'if-none-match': `"other", W/${etag}` });
    expect([known.status, known.body.length]).toEqual([304, 0]);
    expect((await ask(FILE, { range: 'bytes=1-2', 'if-range': etag! })).status).toBe(206);
    utimesSync(join(directory.path, 'published/wallet-1.0_x64.zip'), 1, 1);
    expect((await ask(FILE, { 'if-none-match': etag! })).status).toBe(200);
    const whole = await ask(FILE, { range: 'bytes=1-2', 'if-range': etag! });
    expect([whole.status, whole.body.length]).toEqual([200, CONTENT.length]);
  });

  test('is sent only to a client whose If-Match or If-Unmodified-Since it meets', async () => {
    const { etag } = (await ask(FILE)).headers;
    utimesSync(join(directory.path, 'published/wallet-1.0_x64.zip'), 1, 1_000_000_000);
    const [past, present] = [new Date(999_999_999_000), new Date(1_000_000_000_000)].map(at =>
      at.toUTCString(),
    );
    const fresh = (await ask(FILE)).headers.etag!;
    const statuses = await Promise.all(
      [
        { 'if-match': `"other", ${fresh}` },
        { 'if-match': '*' },
        { 'if-unmodified-since': present! },
        { 'if-unmodified-since': 'not a date' },
        { 'if-match': fresh, 'if-unmodified-since': past! },
        { 'if-match': etag! },
        { 'if-match': `W/${fresh}` },
        { 'if-unmodified-since': past! },
        { 'if-match': '"other"', range: 'bytes=1-2' },
      ].map(async (headers: Record<string, string>) => (await ask(FILE, headers)).status),
    );
    expect(statuses).toEqual([200, 200, 200, 200, 200, 412, 412, 412, 412]);
  });
});

/** Returns the files under the directory that this process has open, according to the operating system. */
function openFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap(name => {
    const path = readlinkIfThere(`/proc/self/fd/${name}`);
    return path.startsWith(directory.path) ? [path] : [];
  });
}

function readlinkIfThere(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

describe('a path that is not a published file', () => {
  // The gateway closes the files of earlier requests after it has answered them.
  beforeAll(() => until(() => openFiles().length === 0));

  // Paths that lead out of the directory are in test/gateway/hostile/cases/targets.ts.
  test.each([
    '../secret.txt',
    'page.html/../../secret.txt',
    '/etc/passwd',
    'page.html\0',
    '',
    '.',
    'link',
    'pipe',
    'zero',
  ])('is not opened even if it passes the path checks: %j', async name => {
    expect(await openPublished(join(directory.path, 'published'), name)).toBeUndefined();
    expect(openFiles()).toEqual([]);
  });

  test('is not writable', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect((await httpRequest(method, `${fixture.gateway.url}/dl/page.html`)).status).toBe(404);
    }
  });
});

describe('a small file', () => {
  const published = () => join(directory.path, 'published');
  const path = (name: string) => join(published(), name);
  const open = (name: string) => openPublished(published(), name);
  const NAMES = ['renamed', 'rewritten', 'linked', 'removed', 'aside', 'largest', 'too-large'];
  const SETTLED = 1_000_000_000;

  // The tests write other bytes of the same number and with the same time of change.
  const write = (name: string, content: string) => {
    const size = { largest: 65_536, 'too-large': 65_537 }[name] ?? 3;
    directory.write(`published/${name}`, content.repeat(size).slice(0, size));
    utimesSync(path(name), SETTLED, SETTLED);
  };

  beforeAll(async () => {
    for (const name of NAMES) write(name, 'old');
    for (let index = 0; index < 256; index += 1) write(`many-${index}`, 'old');
    await pause(2100);
  });

  test('is read once while it does not change', async () => {
    for (const name of ['renamed', 'largest']) expect(await open(name)).toBe(await open(name));
    const [one, other] = [await open('too-large'), await open('too-large')];
    expect(one).not.toBe(other);
    for (const file of [one, other]) await closeFile(file!);
    expect((await ask('/dl/largest', { range: 'bytes=65535-' })).body.length).toBe(1);
  });

  test('is read again if it was renamed, rewritten, replaced with a link or removed', async () => {
    const texts = async () =>
      Promise.all(
        NAMES.slice(0, 4).map(async name => {
          const { status, body } = await ask(`/dl/${name}`);
          return status === 200 ? body.toString() : status;
        }),
      );
    expect(await texts()).toEqual(['old', 'old', 'old', 'old']);
    write('aside', 'new');
    renameSync(path('aside'), path('renamed'));
    write('rewritten', 'new');
    rmSync(path('linked'));
    symlinkSync('renamed', path('linked'));
    rmSync(path('removed'));
    expect(await texts()).toEqual(['new', 'new', 404, 404]);
  });

  test('is not held right after a change, because another change may have the same time', async () => {
    write('fresh', 'old');
    expect(await open('fresh')).not.toBe(await open('fresh'));
  });

  test('is held until 256 others were read', async () => {
    const first = await open('many-0');
    for (let index = 1; index < 256; index += 1) await open(`many-${index}`);
    expect(await open('many-0')).toBe(first);
    await open('largest');
    expect(await open('many-0')).not.toBe(first);
  });
});

test('closes files even if a client leaves midway', async () => {
  const large = directory.write('published/large', randomBytes(20_000_000));
  const { sent, response } = await openRequest('GET', `${fixture.gateway.url}/dl/large`);
  expect(openFiles()).toEqual([expect.stringContaining('large')]);
  response.destroy();
  sent.destroy();
  for (const path of ['/dl/large', '/dl/pipe', '/dl/directory', '/dl/empty']) await fixture.head(path);
  await ask(FILE, { 'if-none-match': '*' });
  await ask(FILE, { range: 'bytes=999999-' });
  await until(() => openFiles().length === 0);
  expect(large).toContain('large');
});

test('closes the connection if a file was truncated', async () => {
  const path = directory.write('published/shrinking', randomBytes(50_000_000));
  const { response } = await openRequest('GET', `${fixture.gateway.url}/dl/shrinking`, {
    headers: { connection: 'keep-alive' },
  });
  truncateSync(path, 1000);
  await expect(response.toArray()).rejects.toThrow('aborted');
});
