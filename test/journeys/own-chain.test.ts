import { Journey, SECOND } from '../../testkit/journey.js';

let journey: Journey;
beforeAll(async () => {
  journey = await Journey.start({ namedChain: false });
});
afterAll(() => journey.stop());

it('a chain of its own is shown as unknown, with the start of its genesis hash', async () => {
  const { genesisHash } = journey.devnet;
  const { code, review } = await journey.decide('approve', 'send', '--to', SECOND, '--amount', '1.5');
  expect(review).toContainEqual(['Network', `UNKNOWN CHAIN ${genesisHash.slice(0, 8)}`]);
  expect(code).toBe(0);
});
