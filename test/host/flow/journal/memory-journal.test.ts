import { jest } from '@jest/globals';
import {
  codeOf,
  FlowFixture,
  NOT_FOUND,
  STATUS,
  sendDraft,
} from '../../../../testkit/gateway/flow-fixture.js';

let fixture: FlowFixture;
beforeEach(async () => {
  fixture = await FlowFixture.start();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await fixture.gateway.stop();
});

test('without a journal, a payment whose confirmation was not awaited blocks its recipient for two hours', async () => {
  fixture.gateway.on(STATUS, NOT_FOUND);
  const pay = () =>
    codeOf(fixture.run(sendDraft(), undefined, { journal: undefined, waitsForConfirmation: false }));
  expect(await pay()).toBe('no error');
  const nowMs = performance.now();
  const clock = jest.spyOn(performance, 'now').mockReturnValue(nowMs + 2 * 3600_000);
  expect(await pay()).toBe('UNSETTLED_PAYMENT');
  clock.mockReturnValue(nowMs + 2 * 3600_000 + 121_000);
  expect(await pay()).toBe('no error');
});
