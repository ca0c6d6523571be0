import { GatewayFixture } from '../../../testkit/gateway/gateway-fixture.js';

let fixture: GatewayFixture;
beforeAll(async () => {
  fixture = await GatewayFixture.open([], { faucet: true, wallet: true });
});
afterAll(() => fixture.close());

test.each([
  ['/wallet/', 'same-origin'],
  ['/connect/', 'unsafe-none'],
  ['/faucet', 'same-origin'],
  ['/verify', 'same-origin'],
  ['/admin', 'same-origin'],
])('of the pages, only the connect page keeps its opener: %s', async (path, policy) => {
  const { status, headers } = await fixture.get(path, { accept: 'text/html' });
  expect([200, 401]).toContain(status);
  expect(headers['cross-origin-opener-policy']).toBe(policy);
});
