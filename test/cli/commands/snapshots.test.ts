import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { httpRequest } from '../../../testkit/network/http.js';
import { type CliProcess, runCommand, startCli, untilSaid } from '../../../testkit/process/cli.js';
import { CHANGED, screenPng, writeFiles } from '../../../testkit/screen/changed-snapshots.js';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'snapshots-'));
  writeFiles(directory, CHANGED);
});
afterEach(() => rmSync(directory, { recursive: true }));

const path = (name: string) => join(directory, name);
const pixelsOf = (name: string) => PNG.sync.read(readFileSync(path(name))).data;
const NEW_PAGE = PNG.sync.read(screenPng([1, 1], [2, 2])).data;

describe('list', () => {
  test('names the changes, with exit code 16, and writes a page and a JUnit file', async () => {
    const [html, junit] = [path('a.html'), path('a.xml')];
    const { code, stdout } = await runCommand([
      'snapshots',
      'list',
      directory,
      '--html',
      html,
      '--junit',
      junit,
    ]);
    expect(code).toBe(16);
    expect(stdout).toMatch(/^changed +\S*shots\/send\/00001\.png +Amount \/ 2 ZBC$/m);
    expect(stdout).toMatch(/^removed +\S*shots\/send\/00003\.png/m);
    expect(readFileSync(html, 'utf8')).toContain('<title>4 changed snapshots</title>');
    const xml = readFileSync(junit, 'utf8');
    expect(xml).toContain('tests="4" failures="4"');
    expect(xml).toContain('changed: Amount / 2 ZBC\ntrace: /tmp/a.trace');
  });

  test('prints JSON for programs', async () => {
    const { code, stdout } = await runCommand(['snapshots', 'list', directory, '--json']);
    const { changes, left_out } = JSON.parse(stdout);
    expect([code, changes.length, left_out]).toEqual([16, 4, 0]);
    expect(changes[0]).toMatchObject({
      kind: 'changed',
      test: 'send.test.js: pays',
      trace: '/tmp/a.trace',
      shown: path('shots/send-failed/00001.png'),
    });
  });

  test('reports that no snapshots changed, and that a path is not a directory', async () => {
    const none = await runCommand(['snapshots', 'list', path('zemu/snapshots')]);
    expect([none.code, none.stdout]).toEqual([0, 'No changed snapshots.\n']);
    expect((await runCommand(['snapshots', 'list', path('no')])).code).toBe(2);
  });
});

describe('approve', () => {
  const approve = (...words: string[]) =>
    runCommand(['snapshots', 'approve', ...words, '--directory', directory]);

  test('writes the picture that was reviewed, and no other', async () => {
    const listed = await runCommand(['snapshots', 'list', directory, '--json']);
    const [{ digest }] = JSON.parse(listed.stdout).changes;
    const name = `${path('shots/send/00001.png')}#${digest.slice(0, 16)}`;
    writeFiles(directory, { 'shots/send-failed/00001.png': screenPng([4, 4]) });
    const { code, stderr } = await approve(name);
    expect([code, stderr]).toEqual([2, expect.stringContaining('has changed since it was reviewed')]);
    expect(pixelsOf('shots/send/00001.png')).toEqual(PNG.sync.read(screenPng([1, 1])).data);
    writeFiles(directory, { 'shots/send-failed/00001.png': screenPng([1, 1], [2, 2]) });
    expect((await approve(name)).code).toBe(0);
    expect(pixelsOf('shots/send/00001.png')).toEqual(NEW_PAGE);
  });

  test('writes a set, or all snapshots', async () => {
    expect((await approve(path('shots/send'))).stdout).toContain('3 approved.');
    expect(readdirSync(path('shots'))).toEqual(['send']);
    expect((await approve('--all')).stdout).toContain('1 approved.');
    expect((await runCommand(['snapshots', 'list', directory])).code).toBe(0);
  });

  test.each([[], ['--all', 'x'], ['shots/send/00000.png'], ['shots/sen'], ['']])(
    'rejects %p %p, and writes nothing',
    async (...words) => {
      const { code } = await approve(...words.map(word => (word.startsWith('shots') ? path(word) : word)));
      expect(code).toBe(2);
      expect(
        JSON.parse((await runCommand(['snapshots', 'list', directory, '--json'])).stdout).changes,
      ).toHaveLength(4);
    },
  );
});

describe('review', () => {
  let running: CliProcess;
  let url: string;
  let token: string;

  beforeEach(async () => {
    running = startCli(['snapshots', 'review', directory, '--json']);
    await untilSaid(running, 'stdout', '\n');
    [url, token] = JSON.parse(running.output.stdout).url.split('#');
  });
  afterEach(async () => {
    running.child.kill('SIGKILL');
    await running.done;
  });

  /** Returns the names and digests on the page. */
  async function shown(): Promise<{ name: string; digest: string }[]> {
    const page = (await httpRequest('GET', url)).body.toString();
    return JSON.parse(/<script type="application\/json" id="changes">(.*?)<\/script>/.exec(page)![1]!)
      .changes;
  }

  async function post(snapshots: unknown, headers: Record<string, string> = {}) {
    const origin = url.replace(/\/$/, '');
    const { status, body } = await httpRequest('POST', `${url}approve`, {
      headers: { origin, 'x-zbc-signer-token': token, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ snapshots }),
    });
    return { status, answer: JSON.parse(body.toString()) };
  }

  test('writes approved snapshots until Ctrl-C', async () => {
    const [first, ...others] = await shown();
    expect(await post([first])).toEqual({ status: 200, answer: { approved: [first!.name] } });
    expect(pixelsOf('shots/send/00001.png')).toEqual(NEW_PAGE);
    expect(await shown()).toEqual(others);
    running.child.kill('SIGINT');
    const { code, stdout, stderr } = await running.done;
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ ready: true, changes: 4 });
  });

  test('writes only the picture that was shown', async () => {
    const [first] = await shown();
    writeFiles(directory, { 'shots/send-failed/00001.png': screenPng([4, 4]) });
    expect((await post([first])).status).toBe(409);
    expect(pixelsOf('shots/send/00001.png')).toEqual(PNG.sync.read(screenPng([1, 1])).data);
  });

  test('rejects other origins, other host names for this machine, and requests without the token', async () => {
    const [first] = await shown();
    const refused: Record<string, string>[] = [
      { origin: 'http://evil.example' },
      { origin: 'null' },
      { host: 'evil.example' },
      { 'x-zbc-signer-token': '' },
      { 'x-zbc-signer-token': '0'.repeat(token.length) },
      { 'x-zbc-signer-token': 'é'.repeat(token.length) },
    ];
    for (const headers of refused) expect([403, 421]).toContain((await post([first], headers)).status);
    expect((await httpRequest('GET', url, { headers: { host: 'evil.example' } })).status).toBe(421);
    expect((await httpRequest('GET', `${url}shots/send/00000.png`)).status).toBe(404);
    expect(await shown()).toHaveLength(4);
    expect((await post([first])).status).toBe(200);
  });

  test.each([
    ['text'],
    [undefined],
    [[7]],
    [[{ name: 7, digest: 8 }]],
    [[{ name: '/etc/passwd', digest: 'x' }]],
  ])('rejects the request %p', async snapshots => {
    expect([400, 409]).toContain((await post(snapshots)).status);
    expect(await shown()).toHaveLength(4);
  });
});
