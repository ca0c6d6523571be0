import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { errorOf, GatewayScene } from '../../../testkit/gateway/gateway-scene.js';
import { getRaw } from '../../../testkit/gateway/raw-request.js';
import { httpRequest } from '../../../testkit/http.js';
import { TestDirectory } from './test-directory.js';

const SCRIPT = 'console.log("hello");\n'.repeat(100);
let directory: TestDirectory;
let scene: GatewayScene;

beforeAll(async () => {
  directory = new TestDirectory();
  const pages = join(directory.path, 'pages');
  directory.write('secret.txt', 'not published');
  directory.write('outside/index.html', 'not published');
  directory.write('pages/index.html', '<h1>Home</h1>');
  directory.write('pages/docs/index.html', '<h1>Docs</h1>');
  directory.write('pages/docs/page.html', '<h1>Page</h1>');
  directory.write('pages/app.js', SCRIPT);
  directory.write('pages/app.js.gz', gzipSync(SCRIPT));
  directory.write('pages/app.js.br', brotliCompressSync(SCRIPT));
  directory.write('pages/plain.css', 'a{}');
  directory.write('pages/plain.css.gz', gzipSync('a{}'));
  directory.write('pages/program.exe', 'MZ');
  directory.write('pages/empty/file', '');
  directory.write('pages/.hidden', 'not published');
  directory.write('pages/.git/config', 'not published');
  directory.write('pages/with space.txt', 'not published');
  directory.write('pages/admin', 'never in place of the admin page');
  directory.write('pages/api/v1/x', 'never in place of a node');
  directory.write('pages/wallet/index.html', 'never in place of the wallet');
  symlinkSync(join(directory.path, 'secret.txt'), join(pages, 'link.txt'));
  symlinkSync(join(directory.path, 'outside'), join(pages, 'out'));
  symlinkSync('../..', join(pages, 'docs/up'));
  symlinkSync('page.html', join(pages, 'docs/inner.html'));
  mkdirSync(join(pages, 'dir.html'));
  execFileSync('mkfifo', [join(pages, 'pipe.txt')]);
  const current = join(directory.path, 'current');
  symlinkSync(pages, current);
  scene = await GatewayScene.open([], { staticDir: current, wallet: true });
});

afterAll(async () => {
  await scene.close();
  directory.remove();
});

describe('a page', () => {
  it.each([
    ['/', '<h1>Home</h1>'],
    ['/index.html', '<h1>Home</h1>'],
    ['/?query', '<h1>Home</h1>'],
    ['/docs/', '<h1>Docs</h1>'],
    ['/docs/page.html', '<h1>Page</h1>'],
  ])('is at %s', async (path, content) => {
    const { status, headers, body } = await scene.get(path);
    expect([status, body.toString()]).toEqual([200, content]);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'self'"),
      'permissions-policy': expect.stringContaining('hid=(), usb=()'),
      'cache-control': 'no-cache',
    });
    expect(headers['content-disposition']).toBeUndefined();
  });

  it('of a directory is at its name with a slash', async () => {
    const { status, headers } = await scene.get('/docs');
    expect([status, headers.location]).toEqual([308, '/docs/']);
    expect((await scene.get('/empty')).status).toBe(404);
  });

  it('is sent once, as its entity tag tells', async () => {
    const { headers } = await scene.get('/docs/page.html');
    const again = await scene.get('/docs/page.html', { 'if-none-match': headers.etag! });
    expect([again.status, again.body.length]).toEqual([304, 0]);
  });

  it('is sent in part, and its head alone', async () => {
    const part = await scene.get('/app.js', { range: 'bytes=8-10' });
    expect([part.status, part.body.toString(), part.headers['content-range']]).toEqual([
      206,
      'log',
      `bytes 8-10/${SCRIPT.length}`,
    ]);
    const head = await scene.head('/app.js');
    expect([head.status, head.headers['content-length']]).toEqual([200, String(SCRIPT.length)]);
    expect((await scene.get('/app.js', { range: 'bytes=99999-' })).status).toBe(416);
  });
});

describe('types', () => {
  it('are those of the names', async () => {
    expect((await scene.get('/app.js')).headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect((await scene.get('/plain.css')).headers['content-type']).toBe('text/css; charset=utf-8');
  });

  it('that are unknown are saved, not shown', async () => {
    expect((await scene.get('/program.exe')).headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="program.exe"',
      'content-security-policy': expect.stringContaining('sandbox'),
    });
  });
});

describe('a compressed copy beside a file', () => {
  it.each([
    ['br', 'gzip, deflate, br'],
    ['gzip', 'gzip'],
    ['gzip', 'br;q=0, gzip;q=0.5'],
    [undefined, 'identity'],
    [undefined, 'gzip;q=0'],
  ])('is sent as %s to a client that accepts %j', async (coding, accepted) => {
    const { headers } = await scene.get('/app.js', { 'accept-encoding': accepted });
    expect(headers['content-encoding']).toBe(coding);
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(headers.vary).toBe('accept-encoding');
  });

  it('has the content and an entity tag of its own', async () => {
    const plain = await scene.get('/app.js');
    const zipped = await scene.get('/app.js', { 'accept-encoding': 'gzip' });
    expect(gunzipSync(zipped.body).toString()).toBe(SCRIPT);
    expect(zipped.headers.etag).not.toBe(plain.headers.etag);
  });
});

describe('nothing else', () => {
  it.each([
    '/link.txt',
    '/out/',
    '/out/index.html',
    '/out',
    '/docs/up/secret.txt',
    '/docs/up/pages/index.html',
    '/docs/inner.html',
    '/.hidden',
    '/.git/config',
    '/with%20space.txt',
    '/dir.html',
    '/pipe.txt',
    '/nothing',
    '/index.html/',
    '/docs/page.html/x',
    '/~root',
    '/docs/%E2%80%A6/secret.txt',
    `/${'x'.repeat(300)}`,
  ])('is sent for %s', async path => {
    const reply = await scene.get(path);
    expect(reply.status).toBe(404);
    expect(errorOf(reply).error).toBe('No such page');
  });

  it.each([
    '/../secret.txt',
    '/docs/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/..%5csecret.txt',
    '/%252e%252e/secret.txt',
    '/index.html%00.png',
    '//secret.txt',
    '/./index.html',
    '/%c0%ae%c0%ae/secret.txt',
  ])('is sent for %s as it is written', async path => {
    const { status, text } = await getRaw(scene.gateway.url, path, 'gateway.test');
    expect([400, 404]).toContain(status);
    expect(text).not.toContain('not published');
  });

  it('is changed by other methods', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      expect((await httpRequest(method, `${scene.gateway.url}/index.html`)).status).toBe(404);
    }
  });
});

it('leaves the routes of the gateway, of nodes and of the wallet alone', async () => {
  expect((await scene.get('/admin')).status).toBe(401);
  expect((await scene.get('/api/v1/x')).status).toBe(503);
  expect((await scene.post('/api/v1/x', '{}')).status).toBe(503);
  expect((await scene.get('/wallet/')).body.includes('in place of')).toBe(false);
  const asNode = { host: 'ip-192-0-2-1.gateway.test' };
  expect((await scene.get('/', asNode)).status).toBe(403);
});

it('is not there without the setting', async () => {
  const other = await GatewayScene.open([]);
  expect((await other.get('/')).status).toBe(404);
  await other.close();
});
