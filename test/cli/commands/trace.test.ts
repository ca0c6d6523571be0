import { copyFileSync, linkSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Emulator, formatTrace, parseTrace, TraceFile } from '@zbc-signer/emulator';
import { send, signTransaction } from '../../../testkit/device/apdu.js';
import { CONFIRM_ADDRESS } from '../../../testkit/device/confirmed-account.js';
import { payment } from '../../../testkit/device/payment.js';
import { callJson } from '../../../testkit/network/http.js';
import { runCli, runCommand, startCli, untilSaid } from '../../../testkit/process/cli.js';
import { openTestDirectory } from '../../../testkit/process/temporary-directory.js';
import { firmwareWithDisplayFault } from '../../../testkit/screen/display-fault.js';

const directory = openTestDirectory();
let file: string;
let steps: number;

const path = (name: string) => join(directory, name);

/**
 * Records a session in which a payment is approved and an address is rejected, as by a test of the harness.
 */
beforeAll(async () => {
  file = path('session.trace');
  const emulator = await Emulator.start();
  const trace = new TraceFile(emulator, file).open();
  const signed = send(apdu => emulator.exchange(apdu), signTransaction(payment));
  await emulator.approve();
  await signed;
  const confirmed = emulator.exchange(CONFIRM_ADDRESS);
  await emulator.reject();
  await confirmed;
  emulator.stop();
  trace.close();
  steps = parseTrace(readFileSync(file, 'utf8')).steps.length;
});

const rowsOf = (output: string) => output.trim().split('\n').slice(1);

test('prints a trace as a test', async () => {
  const { code, stdout } = await runCommand(['trace', 'test', file, '--for', 'node']);
  expect(code).toBe(0);
  expect(stdout).toContain('test("session", async () => {');
  expect((await runCommand(['trace', 'test', file, '--for', 'ava'])).code).toBe(2);
});

describe('open', () => {
  test('lists every step with its input, reply and screen', async () => {
    const { code, stdout } = await runCommand(['trace', 'open', file]);
    expect(code).toBe(0);
    expect(rowsOf(stdout)).toHaveLength(steps + 1);
    expect(stdout).toMatch(
      /^1 +\d+\.\d{3} +Sign transaction: account 0, .* +9000 OK +ZBC Signer \/ is ready$/m,
    );
    expect(stdout).toMatch(/^\d+ +\d+\.\d{3} +press right +Amount \/ 1 ZBC$/m);
    expect(stdout).toMatch(/ press both buttons +6985 USER_REJECTED +ZBC Signer/);
  });

  test('reports why a test failed, at the step', async () => {
    const trace = parseTrace(readFileSync(file, 'utf8'));
    const failure = {
      step: 2,
      message: 'differs:\n\n  Type    Send ZBC\n- Amount  1\n          ^',
      test: 'a',
      expected: { texts: ['Menu'] },
    };
    writeFileSync(path('failed.trace'), formatTrace({ ...trace, failure }));
    const { stdout } = await runCommand(['trace', 'open', path('failed.trace')]);
    expect(stdout).toMatch(
      /\nFailed at step 2: a\ndiffers:\n\n {2}Type {4}Send ZBC\n- Amount {2}1\n {10}\^\nExpected {2}Menu\n$/,
    );
    const json = await runCommand(['trace', 'open', path('failed.trace'), '--json']);
    const listed = JSON.parse(json.stdout);
    expect(listed.failed_at).toBe(2);
    expect(listed.steps[2].failure).toEqual({
      message: failure.message,
      test: 'a',
      expected: { texts: ['Menu'] },
    });
  });

  test('prints JSON for programs', async () => {
    const { stdout } = await runCommand(['trace', 'open', file, '--json']);
    const { seed, steps: listed } = JSON.parse(stdout);
    expect(seed).toBe('test');
    expect(listed).toHaveLength(steps + 1);
    expect(listed[2]).toMatchObject({
      step: 2,
      kind: 'command',
      texts: ['Network', 'UNKNOWN CHAIN ', 'cf30b4a8'],
    });
    expect(Buffer.from(listed[2].frame, 'base64')).toHaveLength(1024);
  });

  test('escapes terminal control sequences in JSON', async () => {
    const texts = ['\u007f', '\u009b31m', '\u2028', '\u202e', '\u2066', '\u200b', '\u{e0041}', 'Grüße 😀'];
    const shown = JSON.stringify(texts.join('')).slice(1, -1);
    const changed = readFileSync(file, 'utf8').replaceAll('"is ready"', `"${shown}"`);
    writeFileSync(path('controls.trace'), changed);
    const { code, stdout } = await runCommand(['trace', 'open', path('controls.trace'), '--json']);
    expect(code).toBe(0);
    expect(stdout).toContain(String.raw`"\u007f\u009b31m\u2028\u202e\u2066\u200b\udb40\udc41Grüße 😀"`);
    expect(stdout.trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(JSON.parse(stdout).steps[0].texts).toContain(texts.join(''));
  });

  test.each(['own.trace', './own.trace', 'soft.html', 'hard.html'])(
    'does not write a page over the trace: %s',
    async name => {
      const own = path('own.trace');
      copyFileSync(file, own);
      if (name === 'soft.html') symlinkSync(own, path(name));
      if (name === 'hard.html') linkSync(own, path(name));
      const target = `${directory}/${name}`;
      const { code, stdout } = await runCommand(['trace', 'open', own, '--html', target, '--json']);
      expect([code, JSON.parse(stdout).error]).toMatchObject([
        2,
        { code: 'USAGE', message: expect.stringContaining(`--html: ${target} is `) },
      ]);
      expect(readFileSync(target)).toEqual(readFileSync(file));
      expect((await runCommand(['trace', 'open', own, '--html', path('other.html')])).code).toBe(0);
    },
  );

  test('writes a page that only its owner can read, and that contains no tag from the trace', async () => {
    const hostile = readFileSync(file, 'utf8').replaceAll('"is ready"', '"</script><img src=x>\\u001b[2J"');
    writeFileSync(path('hostile.trace'), hostile);
    const { code, stdout } = await runCommand([
      'trace',
      'open',
      path('hostile.trace'),
      '--html',
      path('a.html'),
    ]);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`${steps} steps`)]);
    const page = readFileSync(path('a.html'), 'utf8');
    expect(statSync(path('a.html')).mode & 0o777).toBe(0o600);
    expect(page).not.toMatch(/<\/?script|<img src=x/);
    expect(page).not.toContain('\x1b');
    expect(page).toMatch(/Content-Security-Policy" content="default-src 'none'; style-src 'sha256-/);
    const listed = await runCommand(['trace', 'open', path('hostile.trace')]);
    expect(listed.stdout).not.toContain('\x1b');
  });
});

describe('replay', () => {
  test('names the first step at which another firmware differs', async () => {
    writeFileSync(path('faulty.wasm'), firmwareWithDisplayFault('F'));
    const { code, stdout } = await runCommand(['trace', 'replay', file, '--firmware', path('faulty.wasm')]);
    expect(code).toBe(16);
    expect(stdout).toMatch(/^Step 6 of \d+ is the first that differs: press right\n/);
    expect(stdout).toContain('Recorded  Fee / 0.05 ZBC\n');
    expect(stdout).toContain('Now       Fee / 0.05 ZBC\n');
    const [, before, now] = stdout.split(/^(?:Recorded|Now) .*$/m);
    expect(before).not.toBe(now);
    const json = await runCommand(['trace', 'replay', file, '--firmware', path('faulty.wasm'), '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ same: false, step: 6 });
  });

  test('finds no difference with the shipped firmware', async () => {
    const { code, stdout } = await runCommand(['trace', 'replay', file]);
    expect([code, stdout]).toEqual([0, `All ${steps} steps are as recorded.\n`]);
  });
});

describe('rejects an invalid file or argument', () => {
  test.each([
    ['a missing file', undefined, /no such file/],
    ['an empty file', '', /not a trace/],
    ['JSON of another kind', '{}\n', /"format" is not/],
    ['endless brackets', `${'['.repeat(100_000)}\n`, /not a trace/],
    ['a wrong version', '{"format":"zbc-signer-session","version":3}\n', /"version" is not 2/],
    ['half a line', '{\n', /invalid JSON in line 1/],
    ['another prototype', '{"__proto__":{"format":"zbc-signer-session"}}\n', /"format" is not/],
  ])('%s', async (_, text, complaint) => {
    const bad = path('bad.trace');
    rmSync(bad, { force: true });
    if (text !== undefined) writeFileSync(bad, text);
    for (const name of ['open', 'replay']) {
      const { code, stderr } = await runCommand(['trace', name, bad]);
      expect([code, stderr]).toEqual([2, expect.stringMatching(complaint)]);
    }
  });

  test.each([[['replay', '--firmware', 'package.json'], /package.json is not a firmware/]])(
    '%j',
    async ([name, ...words], complaint) => {
      const { code, stderr } = await runCommand(['trace', name!, file, ...words]);
      expect([code, stderr]).toEqual([2, expect.stringMatching(complaint)]);
    },
  );
});

test('emulator --record writes each step at once, and the trace survives a second start and a killed process', async () => {
  const recordOn = (port: string) => [
    ...['emulator', '--json', '--api-port', port, '--apdu-port', '0', '--ledger-port', '0'],
    ...['--record', path('killed.trace')],
  ];
  const started = startCli(recordOn('auto'));
  await untilSaid(started, 'stdout', '\n');
  const { api } = JSON.parse(started.output.stdout);
  expect((await runCli(recordOn(new URL(api).port))).code).toBe(2);
  await callJson('POST', `${api}/apdu`, { data: 'e003000000' });
  started.child.kill('SIGKILL');
  await started.done;
  const { stdout } = await runCli(['trace', 'open', path('killed.trace')]);
  expect(rowsOf(stdout)).toHaveLength(2);
  expect(stdout).toMatch(/Get version +9000 OK/);
});
