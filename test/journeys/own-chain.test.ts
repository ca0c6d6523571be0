import { Journey, SECOND } from '../../testkit/network/journey.js';

let journey: Journey;
beforeAll(async () => {
  journey = await Journey.start({ namedChain: false, feeScale: 3n });
});
afterAll(() => journey.stop());

test('the chain of this devnet is shown as unknown, with the start of its genesis hash', async () => {
  const { genesisHash } = journey.devnet;
  const { code, review } = await journey.decide('approve', 'send', '--to', SECOND, '--amount', '1.5');
  expect(review).toContainEqual(['Network', `UNKNOWN CHAIN ${genesisHash.slice(0, 8)}`]);
  expect(review).toContainEqual(['Fee', '0.075 ZBC']);
  expect(code).toBe(0);
});

test('a token with a negative id is transferred', async () => {
  const words = ['send-token', '--token', '-526214447600301886', '--to', SECOND, '--amount', '1.5'];
  const { code, review } = await journey.decide('approve', ...words);
  expect(review).toContainEqual(['Token', '-526214447600301886']);
  expect(review).toContainEqual(['As reported by the app', '1.5 HERON']);
  expect(code).toBe(0);
});
