import { GatewayClient } from '@zbc-signer/host';
import { awaitHeight } from '#host/flow/chain/height.js';
import { answer, type FakeAnswer, FakeGateway } from '../../../../testkit/gateway/fake-gateway.js';

const STATUS = 'GET /api/v1/blockchain/status';
const at = (height: number) => answer(`{"height":${height}}`);

let gateway: FakeGateway;
let sleptMs: number;
beforeEach(() => {
  gateway = new FakeGateway();
  sleptMs = 0;
});
afterEach(() => gateway.stop());

async function wait(height: bigint, ...answers: FakeAnswer[]): Promise<number> {
  gateway.on(STATUS, ...answers);
  const client = new GatewayClient(await gateway.start());
  const clock = {
    now: () => sleptMs,
    sleep: async (durationMs: number) => {
      sleptMs += durationMs;
    },
  };
  await awaitHeight(client, height, { clock });
  return gateway.requests.length;
}

describe('reads after a confirmation', () => {
  test('wait until the gateway knows the block', async () => {
    expect(await wait(12n, at(10), at(11), at(12))).toBe(3);
  });

  test('do not wait if the gateway already knows the block', async () => {
    expect(await wait(12n, at(13))).toBe(1);
    expect(sleptMs).toBe(0);
  });

  test('continue to wait after any other answer', async () => {
    const others = [answer('', 503), answer('', 502), answer('', 404), answer('{}'), answer('{}', 500)];
    expect(await wait(12n, ...others, 'drop', 'garbage', at(12))).toBe(8);
  });

  test('wait at most ten seconds', async () => {
    await wait(12n, at(11));
    expect(sleptMs).toBe(10_000);
  });

  test.each<[string, FakeAnswer]>([
    ['has no such route', answer('', 404)],
    ['gives a malformed answer', answer('{}')],
  ])('wait at most ten seconds for a gateway that %s', async (_name, reply) => {
    await wait(12n, reply);
    expect(sleptMs).toBe(10_000);
  });
});
