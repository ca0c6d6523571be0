import { BODIES } from './cases/bodies.js';
import { HEADERS } from './cases/headers.js';
import { HOSTS } from './cases/hosts.js';
import { KEYS } from './cases/keys.js';
import { SMUGGLING } from './cases/smuggling.js';
import { TARGETS } from './cases/targets.js';
import { type HostileCase, type Passed, SECOND, SECOND_PASSED } from './hostile-case.js';
import { CANARY, HostileScene, passedBytes } from './scene.js';
import type { WireReply } from './wire.js';

const THEMES = {
  'host names': HOSTS,
  'request targets': TARGETS,
  headers: HEADERS,
  bodies: BODIES,
  'requests in requests': SMUGGLING,
  keys: KEYS,
};
const LATER: Passed = { method: 'GET', path: '/api/v1/later' };

let scene: HostileScene;

beforeAll(async () => {
  scene = await HostileScene.open();
});
afterAll(() => scene.close());
// Remains of a failed test must not affect the next.
beforeEach(() => {
  for (const node of [scene.archival, scene.full]) node.take();
  scene.stranger.accepted = 0;
});

describe.each(Object.entries(THEMES))('of %s', (_theme, cases) => {
  test.each(cases.map(hostile => [hostile.name, hostile] as const))('it %s', async (_name, hostile) => {
    const allowlist = scene.allowlist();
    const replies = await scene.send(scene.fill(hostile.bytes) + SECOND);
    expect(replies.map(({ status }) => status)).toEqual(hostile.replies);
    replies.forEach(expectTidy);
    await expectReceived(hostile);
    expect(scene.allowlist()).toEqual(allowlist);
    expect(scene.errors).toEqual([]);
  });
});

/** An error in the gateway's format, or an answer; neither contains a secret. */
function expectTidy({ status, headers, body }: WireReply): void {
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(body).not.toContain(CANARY);
  expect(body).not.toContain(scene.key);
  if (status >= 400 && body !== '') {
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(JSON.parse(body)).toEqual({
      success: false,
      error: expect.stringMatching(/^[\x20-\x7e]+$/),
      code: status,
    });
  }
}

/** A later request over a new connection shows that the earlier ones have ended. */
async function expectReceived({ replies, archival = [], full = [] }: HostileCase): Promise<void> {
  const [later] = await scene.send(SECOND.replace('/second', '/later'));
  expect(later?.status).toBe(200);
  const second = replies.at(-1) === 200 ? [SECOND_PASSED] : [];
  const expected = [...archival, ...second, LATER].map(passed => passedBytes(scene.archival, passed));
  expect(scene.archival.take()).toEqual(expected);
  expect(scene.full.take()).toEqual(full.map(passed => passedBytes(scene.full, passed)));
  expect(scene.stranger.accepted).toBe(0);
}
