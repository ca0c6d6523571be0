import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TEST_MNEMONIC } from '@zbc-signer/chain';
import {
  type Button,
  Emulator,
  parseTrace,
  restoreSeed,
  Vault,
  writeCoverageReport,
} from '@zbc-signer/emulator';
import { createStubElf } from '#emulator/speculos/stub-elf.js';
import { getPublicKey } from '../../../testkit/device/apdu.js';
import { CONFIRM_ADDRESS_HEX, CONFIRMED_HEX } from '../../../testkit/device/confirmed-account.js';
import { freePort } from '../../../testkit/network/free-port.js';
import { callJson, httpRequest } from '../../../testkit/network/http.js';
import { type CliProcess, runCli, startCli, untilSaid } from '../../../testkit/process/cli.js';
import { openTestDirectory } from '../../../testkit/process/temporary-directory.js';
import { root } from '../../../testkit/repository/repository.js';

const program = join(root, 'emulator/bin/zbc-speculos.js');

const LOCKED = '5515';
const PUBLIC_KEY_HEX = Buffer.from(getPublicKey(0)).toString('hex');

/** Speculos's report of a screen. */
interface Shown {
  events: { text: string }[];
}

const directory = openTestDirectory();

const pressBoth = [
  ['button', 1, true],
  ['button', 2, true],
  ['button', 1, false],
  ['button', 2, false],
];
const RULES = {
  version: 1,
  rules: [
    { regexp: '(?i)APPROVE: .*\\Z', actions: pressBoth },
    {
      text: 'Address',
      actions: [
        ['button', 2, true],
        ['button', 2, false],
      ],
    },
    {
      regexp: 'Address \\(',
      actions: [
        ['button', 2, true],
        ['button', 2, false],
      ],
    },
  ],
};

test("zbc-speculos runs as Ragger starts it: with two ports, a seed and Speculos's rules, and traces until killed", async () => {
  const rules = join(directory, 'rules.json');
  writeFileSync(rules, JSON.stringify(RULES));
  const traces = join(directory, 'traces');
  const port = await freePort();
  const words = ['--model', 'nanosp', '--api-port', `${port}`, '--apdu-port', `${await freePort()}`];
  const started: CliProcess = startCli(
    [...words, '--automation', `file:${rules}`, '--display', 'headless', 'build/nanos2/bin/app.elf'],
    { program, env: { ZBC_SIGNER_TRACE_DIRECTORY: traces } },
  );
  try {
    await untilSaid(started, 'stderr', 'zbc-speculos: REST');
    // Ragger polls for texts.
    const events = `http://127.0.0.1:${port}/events?currentscreenonly=true`;
    expect(await callJson('GET', events)).toMatchObject({
      events: [{ text: 'ZBC Signer' }, { text: 'is ready' }],
    });
    // Rules are loaded before the ports are printed.
    const apdu = { data: CONFIRM_ADDRESS_HEX, tick_timeout: 3000 };
    expect(await callJson('POST', `http://127.0.0.1:${port}/apdu`, apdu)).toEqual({ data: CONFIRMED_HEX });
  } finally {
    // A killed process cannot act at its end.
    started.child.kill('SIGKILL');
    await started.done;
  }
  const [name] = readdirSync(traces);
  const { steps } = parseTrace(readFileSync(join(traces, name!), 'utf8'));
  expect(steps[0]).toMatchObject({ apdu: CONFIRM_ADDRESS_HEX, reply: null });
  expect(steps.at(-1)).toMatchObject({ button: 'both', reply: CONFIRMED_HEX });
});

test.each([
  ['SIGTERM', 'writes its coverage report'],
  ['SIGKILL', 'leaves the data for a coverage report'],
] as const)('zbc-speculos, ended by %s, %s, which names the running pytest test', async (signal, _) => {
  const coverage = join(directory, signal);
  const port = await freePort();
  const env = { PYTEST_CURRENT_TEST: 'tests/test_address.py::test_shown (setup)' };
  const words = ['--api-port', `${port}`, '--apdu-port', '0', '--coverage', coverage, 'app.elf'];
  const started = startCli(words, { program, env });
  try {
    await untilSaid(started, 'stderr', 'zbc-speculos: REST');
    await callJson('POST', `http://127.0.0.1:${port}/apdu`, { data: 'e003000000' });
  } finally {
    started.child.kill(signal);
  }
  const { code } = await started.done;
  expect(code).toBe(signal === 'SIGTERM' ? 143 : null);
  if (signal === 'SIGKILL') await writeCoverageReport(coverage);
  const { tests, elements } = JSON.parse(readFileSync(join(coverage, 'screens.json'), 'utf8'));
  expect(tests).toEqual(['tests/test_address.py::test_shown']);
  expect(elements).toContainEqual({ kind: 'status word', name: '9000 OK', tests });
});

/**
 * A user's presses for entering the test mnemonic on a device with this noise, and storing it under a PIN.
 */
async function pressesThatRestore(noise: Uint8Array): Promise<Button[]> {
  const emulator = await Emulator.start({ keystore: { noise, vault: new Vault() } });
  const pressed: Button[] = [];
  emulator.on('input', input => {
    if ('button' in input) pressed.push(input.button);
  });
  restoreSeed(emulator, TEST_MNEMONIC, { pin: '314159' });
  emulator.stop();
  return pressed;
}

test('zbc-speculos runs a keystore, whose seed is entered with the buttons and kept in a vault after the end', async () => {
  const noise = createHash('shake256', { outputLength: 4096 }).update('speculos').digest();
  const [noiseFile, vault] = [join(directory, 'noise'), join(directory, 'vault.json')];
  writeFileSync(noiseFile, noise);
  const port = await freePort();
  const api = `http://127.0.0.1:${port}`;
  const words = ['--api-port', `${port}`, '--apdu-port', '0', '--keystore', '--noise', noiseFile];
  const start = async () => {
    const started = startCli([...words, '--vault', vault, 'app.elf'], { program });
    await untilSaid(started, 'stderr', 'zbc-speculos: REST');
    return started;
  };
  const stop = async (started: CliProcess) => {
    started.child.kill('SIGKILL');
    await started.done;
  };
  const texts = async () => {
    const { events } = await callJson<Shown>('GET', `${api}/events?currentscreenonly=true`);
    return events.map(({ text }) => text);
  };
  const address = () => callJson('POST', `${api}/apdu`, { data: PUBLIC_KEY_HEX });
  const first = await start();
  try {
    expect(await texts()).toEqual(['ZBC Signer', 'has no seed']);
    expect(await address()).toEqual({ data: LOCKED });
    for (const button of await pressesThatRestore(noise))
      await callJson('POST', `${api}/button/${button}`, { action: 'press-and-release' });
    expect(await texts()).toEqual(['ZBC Signer', 'is ready']);
    expect(await address()).toEqual({ data: CONFIRMED_HEX });
  } finally {
    await stop(first);
  }
  const second = await start();
  try {
    expect(await texts()).toEqual(['ZBC Signer', 'is locked']);
    expect(await address()).toEqual({ data: LOCKED });
  } finally {
    await stop(second);
  }
});

test('zbc-speculos writes the ELF file that tools inspect', async () => {
  const path = join(directory, 'build/nanos2/bin/app.elf');
  expect(await runCli(['--stub-elf', path], { program })).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(readFileSync(path).equals(createStubElf())).toBe(true);
});

test('zbc-speculos keeps its settings where Speculos does, and answers only to the allowed host name', async () => {
  const texts: string[][] = [];
  for (const nvram of [['--save-nvram'], ['--load-nvram'], []]) {
    const port = await freePort();
    const api = `http://127.0.0.1:${port}`;
    const words = [
      ...nvram,
      '--api-port',
      `${port}`,
      '--apdu-port',
      '0',
      '--allow-host',
      'signer.test',
      'app.elf',
    ];
    const started = startCli(words, { program, before: ['env', '-C', directory] });
    try {
      await untilSaid(started, 'stderr', 'zbc-speculos: REST');
      const press = (button: Button) =>
        callJson('POST', `${api}/button/${button}`, { action: 'press-and-release' });
      for (const button of ['right', 'both'] as const) await press(button);
      if (nvram[0] === '--save-nvram') await press('both');
      const shown = (await callJson('GET', `${api}/events?currentscreenonly=true`)) as Shown;
      texts.push(shown.events.map(({ text }) => text));
      const statusOf = async (host: string) =>
        (await httpRequest('GET', `${api}/events`, { headers: { host } })).status;
      expect([await statusOf('signer.test'), await statusOf('other.test')]).toEqual([200, 403]);
    } finally {
      started.child.kill('SIGKILL');
      await started.done;
    }
  }
  const [saved, loaded, fresh] = texts;
  expect(loaded).toEqual(saved);
  expect(fresh).not.toEqual(saved);
});

test.each([
  [['--model', 'stax', 'app.elf'], 2, 'touch screen'],
  [['--seed', 'hex:00', 'app.elf'], 1, '128 hexadecimal digits'],
  [['--automation', 'file:/nonexistent', 'app.elf'], 2, 'cannot read the rules'],
  [['--noise', '/dev/null', 'app.elf'], 2, '--keystore'],
  [['--keystore', '--vault', '/nonexistent/vault', 'app.elf'], 2, '--noise'],
  [['--keystore', '--seed', 'hex:00', 'app.elf'], 2, '--seed'],
  [['--keystore', '--noise', '/nonexistent', 'app.elf'], 2, 'cannot read the noise'],
  [['--keystore', '--noise', '/dev/zero', 'app.elf'], 2, 'the noise'],
  [['--api-port', '0', '--apdu-port', '0', '--automation', '{}', 'app.elf'], 2, 'REST API'],
])('zbc-speculos fails at once, with a message on standard error: %j', async (words, code, message) => {
  expect(await runCli(words, { program })).toEqual({
    code,
    stdout: '',
    stderr: expect.stringMatching(new RegExp(`zbc-speculos: error: .*${message}`)),
  });
});

test('zbc-speculos ends with a message when it cannot save its settings', async () => {
  mkdirSync(join(directory, 'kept/main_nvram.bin'), { recursive: true });
  const port = await freePort();
  const words = ['--save-nvram', '--api-port', `${port}`, '--apdu-port', '0', 'app.elf'];
  const started = startCli(words, { program, before: ['env', '-C', join(directory, 'kept')] });
  await untilSaid(started, 'stderr', 'zbc-speculos: REST');
  const press = (button: Button) =>
    callJson('POST', `http://127.0.0.1:${port}/button/${button}`, { action: 'press-and-release' });
  for (const button of ['right', 'both'] as const) await press(button);
  await expect(press('both')).rejects.toThrow();
  expect(await started.done).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('error: cannot write the settings: EISDIR'),
  });
});

test('zbc-speculos names the file if its settings are invalid', async () => {
  writeFileSync(join(directory, 'main_nvram.bin'), 'no settings');
  expect(
    await runCli(['--load-nvram', 'app.elf'], { program, before: ['env', '-C', directory] }),
  ).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/main_nvram\.bin has 11 bytes/),
  });
});
