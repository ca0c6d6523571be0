import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { EmulatorServer } from '@zbc-signer/emulator';
import { developmentKey, signImage } from '@zbc-signer/image';
import { startServer } from '../../../testkit/device/device-host.js';
import { type CliResult, runCommand } from '../../../testkit/process/cli.js';
import { openTestDirectory } from '../../../testkit/process/temporary-directory.js';

let server: EmulatorServer | undefined;
const directory = openTestDirectory();

const mute = createServer(socket => socket.resume());
/**
 * The result of the command with the silent server `mute`. The command takes ten seconds, so it starts before
 * the tests and runs during the first one.
 */
let givenUp: Promise<CliResult>;

beforeAll(async () => {
  await once(mute.listen(0, '127.0.0.1'), 'listening');
  const { port } = mute.address() as AddressInfo;
  givenUp = runCommand(['conformance', '--device', `uart://127.0.0.1:${port}`]);
});
afterAll(() => {
  mute.close();
});
afterEach(async () => {
  await server?.close();
  server = undefined;
});

test('the emulator conforms without a user, and every report says so', async () => {
  server = await startServer();
  const page = join(directory, 'report.html');
  const words = ['conformance', '--device', server.api, '--json', '--html', page];
  const { code, stdout } = await runCommand(words);
  const { conforms, passed, failed, not_tested, checks } = JSON.parse(stdout);
  expect({ code, conforms, failed, not_tested }).toEqual({
    code: 0,
    conforms: true,
    failed: 0,
    not_tested: 0,
  });
  expect(checks.length).toBe(passed);
  expect(passed).toBeGreaterThan(120);
  expect(await readFile(page, 'utf8')).toContain('The signer conforms.');
});

test('a production test writes each unit once, with its image, counter and checks', async () => {
  server = await startServer();
  const [record, image] = [join(directory, 'line.jsonl'), join(directory, 'signed.bin')];
  const key = developmentKey();
  const version = { major: 1, minor: 0, revision: 0, build: 0 };
  await writeFile(image, signImage(new Uint8Array(64), { key, version, counter: 7 }));
  const only = ['--device', server.api, '--only', 'identity'];
  const words = (unit: string) => [
    'conformance',
    ...only,
    '--record',
    record,
    '--unit',
    unit,
    '--image',
    image,
  ];
  expect((await runCommand(words('A1'))).code).toBe(0);
  const again = await runCommand(words('A1'));
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('already has the unit A1')]);
  expect((await runCommand(words('A2'))).code).toBe(0);
  const lines = (await readFile(record, 'utf8'))
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  const image_sha256 = createHash('sha256')
    .update(await readFile(image))
    .digest('hex');
  expect(lines).toMatchObject([
    { unit: 'A1', image_sha256, counter: 7, conforms: false },
    { unit: 'A2', image_sha256, counter: 7, conforms: false },
  ]);
  const { started, ended, checks } = lines[0];
  expect(Date.parse(ended)).toBeGreaterThanOrEqual(Date.parse(started));
  expect(checks).toContainEqual(expect.objectContaining({ group: 'identity', outcome: 'passed' }));
  expect((await runCommand(['conformance', ...only, '--record', record])).code).toBe(2);
});

test('a signer with a keystore conforms: the words are entered at the start and after each power cut', async () => {
  server = await startServer({ keystore: {} });
  expect(server.emulator.texts()).toEqual(['ZBC Signer', 'has no seed']);
  const { code, stdout } = await runCommand(['conformance', '--device', server.api, '--json']);
  const { failed, not_tested } = JSON.parse(stdout);
  expect({ code, failed, not_tested }).toEqual({ code: 0, failed: 0, not_tested: 0 });
});

test('a signer with another seed does not conform, with exit code 16 and the reason', async () => {
  server = await startServer({ seed: `hex:${'11'.repeat(64)}` });
  const { code, stdout, stderr } = await runCommand(['conformance', '--device', server.api]);
  expect([code, stderr]).toEqual([
    16,
    expect.stringContaining('FAIL identity: the seed of the golden cases'),
  ]);
  expect(stdout).toBe('The signer does not conform: 0 passed, 1 failed, 0 not tested.\n');
});

test('the command fails with code 3 if no signer answers on the UART', async () => {
  const { code, stderr } = await givenUp;
  expect([code, stderr]).toEqual([3, expect.stringContaining('did not answer for 10 s')]);
});

test('a UART to which nothing connects ends the command with code 3', async () => {
  const { code, stderr } = await runCommand(['conformance', '--device', 'uart://127.0.0.1:1']);
  expect([code, stderr]).toEqual([3, expect.stringContaining('cannot connect to uart://127.0.0.1:1')]);
});

test('the HTML report shows a wrong screen next to the right one', async () => {
  server = await startServer();
  server.emulator.press('right');
  const page = join(directory, 'report.html');
  const { code, stderr } = await runCommand([
    'conformance',
    '--device',
    server.api,
    '--only',
    'rejections',
    '--html',
    page,
  ]);
  expect(code).toBe(16);
  expect(stderr).toMatch(/ is ready"\nexpected:\n┌[\s\S]*\nshown:\n┌/);
  const text = await readFile(page, 'utf8');
  expect(text).toContain('the display does not show &quot;ZBC Signer / is ready&quot;');
  expect(text.match(/<img [^>]*src="data:image\/png/g)).toHaveLength(4);
});

test('a run of some groups reports only that the signer conforms in these groups', async () => {
  server = await startServer();
  const words = ['conformance', '--device', server.api, '--only', 'identity'];
  const { code, stdout } = await runCommand(words);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^The signer conforms in the groups that ran \(identity\): 11 passed, 0 failed, \d+ not tested\.\n$/,
  );
});

test('--buttons you does not use the UART as a panel', async () => {
  const words = ['conformance', '--device', 'uart://127.0.0.1:9', '--buttons', 'you'];
  const { code, stderr } = await runCommand(words);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('there is no terminal in which to ask you to press the buttons'),
  ]);
});

test.each([
  [['--only', 'reviews'], '--only must be one of identity, approval, refusals'],
  [[], 'there is no terminal in which to ask you to press the buttons'],
])('%j ends with code 2', async (words, message) => {
  const { code, stderr } = await runCommand(['conformance', '--device', 'tcp://127.0.0.1:9', ...words]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
