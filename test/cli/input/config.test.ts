import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../../testkit/process/cli.js';
import { accounts } from '../../../testkit/repository/vectors.js';

const ADDRESS = accounts.cases[0]!.address;
/** An address where nothing listens. The error of the command names it. */
const DEVICE = 'http://127.0.0.1:1';

let home: string;
let file: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'config-'));
  mkdirSync(join(home, 'zbc-signer'));
  file = join(home, 'zbc-signer/config.json');
});
afterEach(() => rmSync(home, { recursive: true }));

const run = (words: string[], env: Record<string, string> = {}) =>
  runCommand(words, { env: { XDG_CONFIG_HOME: home, ...env } });

test('the configuration is read from XDG_CONFIG_HOME, or from .config in the home directory', async () => {
  writeFileSync(file, `{"device":"${DEVICE}"}`);
  expect((await run(['address'])).stderr).toContain('nothing listens at 127.0.0.1:1');
  const other = mkdtempSync(join(tmpdir(), 'home-'));
  mkdirSync(join(other, '.config/zbc-signer'), { recursive: true });
  writeFileSync(join(other, '.config/zbc-signer/config.json'), '{"device":"tcp://127.0.0.1:2"}');
  // A relative XDG_CONFIG_HOME must be ignored.
  const { stderr } = await run(['address'], { XDG_CONFIG_HOME: 'x', HOME: other });
  rmSync(other, { recursive: true });
  expect(stderr).toContain('nothing listens at 127.0.0.1:2');
});

test('an option overrides a variable, and a variable overrides the file', async () => {
  writeFileSync(file, '{"api":"http://127.0.0.1:1"}');
  const [byFile, byVariable, byOption] = await Promise.all([
    run(['get', '/api/v1/tokens']),
    run(['get', '/api/v1/tokens'], { ZBC_SIGNER_API: 'http://127.0.0.1:2' }),
    run(['get', '/api/v1/tokens', '--api', 'http://127.0.0.1:3'], { ZBC_SIGNER_API: 'http://127.0.0.1:2' }),
  ]);
  expect(byFile.stderr).toContain('cannot reach the gateway at http://127.0.0.1:1');
  expect(byVariable.stderr).toContain('cannot reach the gateway at http://127.0.0.1:2');
  expect(byOption.stderr).toContain('cannot reach the gateway at http://127.0.0.1:3');
});

test.each<[string, string, RegExp]>([
  ['invalid JSON', '{', /config\.json is not JSON/],
  ['a list', '[]', /config\.json must be one JSON object/],
  [
    'an unknown key',
    '{"devise":"hid"}',
    /config\.json: unknown key devise\nThe known keys are device, api, max_fee/,
  ],
  ['a key with control characters', '{"\\u001b[31m\\u202e":"hid"}', /config\.json: unknown key \[31m\n/],
  ['a prototype', '{"__proto__":{"device":"hid"}}', /unknown key __proto__/],
  ['a number', '{"device":1}', /config\.json: device must be a string/],
  ['an invalid value', '{"device":"ftp://x"}', /error: device in .*config\.json: the device must be hid/],
  ['an overlong file', `{"device":"${'x'.repeat(20_000)}"}`, /config\.json is longer than 16384 bytes/],
])('%s is an error that names the file and the key', async (_name, text, error) => {
  writeFileSync(file, text);
  const { code, stderr } = await run(['address']);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(error) });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the output must not contain these characters.
  expect(stderr).not.toMatch(/[\u001b\u202e]/);
});

test('a pipe in place of the file is an error, and is not waited for', async () => {
  execFileSync('mkfifo', [file]);
  const { code, stderr } = await run(['address']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('config.json is not a file')]);
});

test('an invalid max_fee stops a payment before the device or gateway is contacted', async () => {
  writeFileSync(file, '{"max_fee":"1,5"}');
  const words = ['send', '--to', ADDRESS, '--amount', '1', '--device', DEVICE];
  const { code, stderr } = await run(words);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/error: max_fee in .*config\.json: /)]);
});

test('a command that needs no setting does not read the file', async () => {
  writeFileSync(file, '{');
  expect((await run(['tx', 'decode', 'xyz'])).stderr).not.toContain('config.json');
});
