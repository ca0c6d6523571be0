import { createHash } from 'node:crypto';
import { findRelease } from '#gateway/routes/verify.js';
import { errorOf, GatewayFixture, startNodes } from '../../../testkit/gateway/gateway-fixture.js';
import { publishing } from '../../../testkit/gateway/published.js';
import { type Answer, empty, json, silence } from '../../../testkit/gateway/recording-node.js';

const HASH = createHash('sha256').update('bundle').digest('hex');
const OTHER = createHash('sha256').update('other').digest('hex');
const FILE = { arch: 'x86_64', name: 'zbc-node.tar.gz', size: 6, sha256: HASH };
const LIST = 'GET /api/v1/release/list';

let fixture: GatewayFixture;

async function open(answer: Answer, answerMs = 60_000): Promise<void> {
  fixture = await GatewayFixture.open(await startNodes({ archival: [answer] }), {
    timeouts: { connectMs: 60_000, answerMs, pieceMs: 60_000 },
  });
}

afterEach(() => fixture?.close());

const verify = (query: string, headers: Record<string, string> = {}) =>
  fixture.get(`/verify${query}`, headers);
const readJson = async (query: string) => JSON.parse((await verify(query)).body.toString());

test('a list that nodes send again unchanged is examined only once', () => {
  let reads = 0;
  const list = {
    get releases() {
      reads += 1;
      return [{ version: '1.2.0', released_at: 1n, files: [{ ...FILE, size: 6n }] }];
    },
  };
  expect(findRelease(list, HASH)).toMatchObject({ version: '1.2.0', name: FILE.name });
  const first = reads;
  expect([findRelease(list, HASH)?.arch, findRelease(list, OTHER), reads]).toEqual([
    'x86_64',
    undefined,
    first,
  ]);
});

describe('GET /verify?sha256=', () => {
  test('reports the published file of a hash in either letter case', async () => {
    await open(
      publishing([
        { ...FILE, sha256: OTHER, arch: 'aarch64' },
        { ...FILE, sha256: HASH.toUpperCase() },
      ]),
    );
    const expected = {
      sha256: HASH,
      published: true,
      release: {
        version: '1.2.0',
        arch: 'x86_64',
        name: 'zbc-node.tar.gz',
        size: 6,
        released_at: 1_800_000_000,
      },
    };
    expect(await readJson(`?sha256=${HASH}`)).toEqual(expected);
    expect(await readJson(`?sha256=${HASH.toUpperCase()}`)).toEqual(expected);
    expect(fixture.nodes[0]!.asked).toEqual([LIST, LIST]);
  });

  test.each([
    ['as many values as are allowed', 65_000, 200],
    ['more values than are allowed', 70_000, 502],
  ])('for a release list with %s (%i) is %i', async (_what, count, status) => {
    await open(json(200, { releases: [], more: Array(count).fill(1) }));
    expect((await verify(`?sha256=${HASH}`)).status).toBe(status);
  });

  test('combines simultaneous questions to the node, and asks again for the next question', async () => {
    await open(publishing([FILE]));
    const questions = Array.from({ length: 50 }, () => readJson(`?sha256=${HASH}`));
    for (const { published } of await Promise.all(questions)) expect(published).toBe(true);
    const asked = fixture.nodes[0]!.asked.length;
    expect(asked).toBeLessThan(50);
    await readJson(`?sha256=${OTHER}`);
    expect(fixture.nodes[0]!.asked).toHaveLength(asked + 1);
  });

  test('knows a hash as soon as the node lists it', async () => {
    const files = [FILE];
    await open((...question) => publishing(files)(...question));
    expect((await readJson(`?sha256=${OTHER}`)).published).toBe(false);
    files.push({ ...FILE, sha256: OTHER });
    expect((await readJson(`?sha256=${OTHER}`)).published).toBe(true);
  });

  test('reports an unpublished hash', async () => {
    await open(publishing([FILE]));
    for (const sha256 of [OTHER, `${HASH.slice(0, 63)}${HASH.endsWith('0') ? '1' : '0'}`]) {
      expect(await readJson(`?sha256=${sha256}`)).toEqual({ sha256, published: false });
    }
  });

  test.each([
    '',
    '?sha256=',
    '?sha256=abc',
    `?sha256=${HASH}0`,
    `?sha256=${'g'.repeat(64)}`,
    `?sha256=${HASH}&sha256=${HASH}`,
    `?hash=${HASH}`,
  ])('rejects %j without asking a node', async query => {
    await open(publishing([FILE]));
    const reply = await verify(query, { accept: 'application/json' });
    expect([reply.status, errorOf(reply).error]).toEqual([400, expect.stringContaining('sha256')]);
    expect(fixture.nodes[0]!.asked).toEqual([]);
  });

  test.each<[string, Answer]>([
    ['no list', json(200, {})],
    ['a list of numbers', json(200, { releases: [1] })],
    ['a release without files', json(200, { releases: [{ version: '1', released_at: 1 }] })],
    ['a file without a hash', json(200, { releases: [{ version: '1', released_at: 1, files: [{}] }] })],
    ['a hash that is a number', publishing([{ ...FILE, sha256: 5 as never }])],
    ['a negative size', publishing([{ ...FILE, size: -1 }])],
    ['a fractional size', publishing([{ ...FILE, size: 1.5 }])],
    ['HTML in place of JSON', (_request, response) => void response.end('<html>')],
    [
      'too many releases',
      json(200, { releases: Array(10_001).fill({ version: '1', released_at: 1, files: [] }) }),
    ],
  ])('rejects a release list that has %s', async (_what, answer) => {
    await open(answer, answer === silence ? 200 : undefined);
    const reply = await verify(`?sha256=${HASH}`);
    expect([reply.status, errorOf(reply).success]).toEqual([502, false]);
  });

  test('strips control characters', async () => {
    await open(publishing([{ ...FILE, name: 'a\u001b[2J\u202eb\u200b\n', arch: 'x'.repeat(5000) }]));
    const { release } = await readJson(`?sha256=${HASH}`);
    expect([release.name, release.arch]).toEqual(['a[2Jb ', `${'x'.repeat(300)}…`]);
  });

  test.each<[string, Answer, number]>([
    ['does not answer', silence, 504],
    ['does not know the route', empty(404), 503],
    ['does not know the route and says so', json(404, { error: 'No such route' }), 503],
    ['is under load', json(503, {}), 503],
  ])('is an error, and never "not published", when the node %s', async (_what, answer, status) => {
    await open(answer, answer === silence ? 200 : undefined);
    const reply = await verify(`?sha256=${HASH}`);
    expect([reply.status, errorOf(reply).code]).toEqual([status, status]);
  });
});
