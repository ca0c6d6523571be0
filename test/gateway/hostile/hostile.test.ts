import { BODIES } from './cases/bodies.js';
import { HEADERS } from './cases/headers.js';
import { HOSTS } from './cases/hosts.js';
import { KEYS } from './cases/keys.js';
import { SMUGGLING } from './cases/smuggling.js';
import { TARGETS } from './cases/targets.js';
import { type ForwardedRequest, type HostileCase, SECOND, SECOND_FORWARDED } from './hostile-case.js';
import { CANARY, forwardedBytes, HostileFixture } from './hostile-fixture.js';
import type { WireReply } from './wire.js';

const THEMES = {
  'host names': HOSTS,
  'request targets': TARGETS,
  headers: HEADERS,
  bodies: BODIES,
  'requests within requests': SMUGGLING,
  keys: KEYS,
};
const LATER: ForwardedRequest = { method: 'GET', path: '/api/v1/later' };

let fixture: HostileFixture;

beforeAll(async () => {
  fixture = await HostileFixture.open();
});
afterAll(() => fixture.close());
// What a failed test left must not affect the next test.
beforeEach(() => {
  for (const node of [fixture.archival, fixture.full]) node.take();
  fixture.stranger.accepted = 0;
});

describe.each(Object.entries(THEMES))('the gateway, given hostile %s,', (_theme, cases) => {
  test.each(cases.map(hostile => [hostile.name, hostile] as const))('%s', async (_name, hostile) => {
    const allowlist = fixture.allowlist();
    const replies = await fixture.send(fixture.fill(hostile.bytes) + SECOND);
    expect(replies.map(({ status }) => status)).toEqual(hostile.replies);
    replies.forEach(expectTidy);
    await expectReceived(hostile);
    expect(fixture.allowlist()).toEqual(allowlist);
    expect(fixture.errors).toEqual([]);
  });
});

/** Checks that a reply is an answer, or an error in the gateway's format, and contains no secret. */
function expectTidy({ status, headers, body }: WireReply): void {
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(body).not.toContain(CANARY);
  expect(body).not.toContain(fixture.key);
  if (status >= 400 && body !== '') {
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(JSON.parse(body)).toEqual({
      success: false,
      error: expect.stringMatching(/^[\x20-\x7e]+$/),
      code: status,
    });
  }
}

/**
 * Checks which requests the nodes received. A later request over a new connection ensures that the earlier
 * ones have ended.
 */
async function expectReceived({ replies, archival = [], full = [] }: HostileCase): Promise<void> {
  const [later] = await fixture.send(SECOND.replace('/second', '/later'));
  expect(later?.status).toBe(200);
  const second = replies.at(-1) === 200 ? [SECOND_FORWARDED] : [];
  const expected = [...archival, ...second, LATER].map(passed => forwardedBytes(fixture.archival, passed));
  expect(fixture.archival.take()).toEqual(expected);
  expect(fixture.full.take()).toEqual(full.map(passed => forwardedBytes(fixture.full, passed)));
  expect(fixture.stranger.accepted).toBe(0);
}
