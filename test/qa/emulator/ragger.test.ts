import { startServer } from '../../../testkit/device/device-host.js';
import { CASES, decideLikeRagger } from './ragger.js';

// The requests that only Ragger sends in this order, for machines without Ragger. With RAGGER set, pytest.test.ts runs
// Ragger itself.
test.each(CASES)('requests in the order of Ragger find the page of $scenario, $screens', async each => {
  const server = await startServer();
  try {
    expect(await decideLikeRagger(server.api, each)).toBe(each.reply);
  } finally {
    await server.close();
  }
});
