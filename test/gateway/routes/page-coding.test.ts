import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { GatewayScene } from '../../../testkit/gateway/gateway-scene.js';

let scene: GatewayScene;
beforeAll(async () => {
  scene = await GatewayScene.open([], { wallet: true, faucet: true });
});
afterAll(() => scene.close());

const ask = (path: string, headers: Record<string, string>) =>
  scene.get(path, { accept: 'text/html', ...headers });

it.each(['/wallet/', '/admin', '/verify', '/faucet'])(
  '%s is sent compressed to who accepts it',
  async path => {
    const plain = await ask(path, {});
    const gzip = await ask(path, { 'accept-encoding': 'gzip' });
    const br = await ask(path, { 'accept-encoding': 'gzip, deflate, br' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect([gzip, br].map(({ headers }) => headers['content-encoding'])).toEqual(['gzip', 'br']);
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
    expect(brotliDecompressSync(br.body).equals(plain.body)).toBe(true);
    expect(br.body.length).toBeLessThan(plain.body.length / 2);
    for (const { headers } of [plain, gzip, br]) expect(headers.vary).toMatch(/(^|, )accept-encoding$/);
    expect(new Set([plain, gzip, br].map(({ headers }) => headers.etag)).size).toBe(3);
  },
);

it('each form of the wallet page is sent once', async () => {
  const accepted = { 'accept-encoding': 'br' };
  const { headers } = await ask('/wallet/', accepted);
  const again = await ask('/wallet/', { ...accepted, 'if-none-match': headers.etag! });
  expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, headers.etag]);
  expect((await ask('/wallet/', { 'if-none-match': headers.etag! })).status).toBe(200);
});
