import { GatewayAdmin } from '#host/explorer.js';
import { answer, FakeGateway } from '../../../testkit/gateway/fake-gateway.js';

const KEY = 'k3y-that-nobody-may-see';
const NODE = { ip: '203.0.113.7', port: 8884 };

let gateway: FakeGateway;
let admin: GatewayAdmin;
beforeEach(async () => {
  gateway = new FakeGateway();
  admin = new GatewayAdmin(await gateway.start(), KEY, { timeoutMs: 2000 });
});
afterEach(() => gateway.stop());

test.each<[string, () => Promise<unknown>, unknown]>([
  ['add', () => admin.admit(NODE), NODE],
  ['remove', () => admin.drop(NODE), NODE],
  ['refresh', () => admin.refresh(), {}],
])(
  'the %s call of the allowlist carries the key and returns the admitted nodes',
  async (action, call, body) => {
    gateway.on(
      `POST /gateway/allowlist/${action}`,
      answer('{"success":true,"allowlist":[{"ip":"203.0.113.7","port":8884,"role":"full"}]}'),
    );
    expect(await call()).toEqual([{ ...NODE, role: 'full' }]);
    const [request] = gateway.requests;
    expect(request!.authorization).toBe(`Bearer ${KEY}`);
    expect(JSON.parse(request!.body)).toEqual(body);
  },
);

test('the error about a refused key does not contain the key', async () => {
  gateway.on(
    'POST /gateway/allowlist/refresh',
    answer('{"success":false,"error":"wrong key","code":401}', 401),
  );
  const failure = await admin.refresh().catch(error => error);
  expect(failure).toMatchObject({ code: 'GATEWAY_STATUS', status: 401 });
  expect(JSON.stringify(failure) + failure.message + failure.stack).not.toContain(KEY);
});
