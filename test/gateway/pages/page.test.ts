import { createHash } from 'node:crypto';
import { GatewayFixture } from '../../../testkit/gateway/gateway-fixture.js';

let fixture: GatewayFixture;
beforeAll(async () => {
  fixture = await GatewayFixture.open([], { faucet: true, wallet: true });
});
afterAll(() => fixture.close());

test('the root leads a browser to the wallet, and is no route for a program', async () => {
  const { status, headers } = await fixture.get('/', { accept: 'text/html' });
  expect([status, headers.location, headers.vary]).toEqual([307, '/wallet/', 'accept']);
  expect((await fixture.get('/')).status).toBe(404);
});

test.each([
  ['/wallet/', 'same-origin'],
  ['/connect/', 'unsafe-none'],
  ['/faucet', 'same-origin'],
  ['/admin', 'same-origin'],
])('of the pages, only the connect page keeps its opener: %s', async (path, policy) => {
  const { status, headers } = await fixture.get(path, { accept: 'text/html' });
  expect([200, 401]).toContain(status);
  expect(headers['cross-origin-opener-policy']).toBe(policy);
});

test.each(['/faucet', '/admin'])('%s may run only its own script and style', async path => {
  const { headers, body } = await fixture.get(path, { accept: 'text/html' });
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  const html = body.toString();
  expect(html).not.toMatch(/\b(src|href)="(?!data:,")/);
  const policy = headers['content-security-policy'];
  for (const tag of ['style', 'script']) {
    const [, source] = new RegExp(`<${tag}(?: type="module")?>([\\s\\S]*)</${tag}>`).exec(html)!;
    expect(policy).toContain(`${tag}-src 'sha256-${createHash('sha256').update(source!).digest('base64')}'`);
  }
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
});
