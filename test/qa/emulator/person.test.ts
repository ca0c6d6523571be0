import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EmulatorServer } from '@zbc-signer/emulator';
import { startServer } from '../../../testkit/device/device-host.js';
import { PROGRAM } from '../../../testkit/process/program.js';
import { openTestDirectory } from '../../../testkit/process/temporary-directory.js';
import { readText, root } from '../../../testkit/repository/repository.js';
import { firmwareWithDisplayFault } from '../../../testkit/screen/display-fault.js';
import { COMPLAINT, follow, Person } from '../../../testkit/screen/person.js';
import { until } from '../../../testkit/time/until.js';

// The test of docs/TESTING.md on a device that an automated person presses, who knows only the terminal's
// text and the device's pixels.

/** A terminal of 100 columns around a program, with the program's exit code. */
const TERMINAL = `
import fcntl, os, pty, select, struct, sys, termios
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', 50, 100, 0, 0))
    os.execvp(sys.argv[1], sys.argv[1:])
sources = [terminal, 0]
while True:
    ready, _, _ = select.select(sources, [], [])
    if 0 in ready:
        typed = os.read(0, 4096)
        if typed: os.write(terminal, typed)
        else: sources.remove(0)
    if terminal in ready:
        try: shown = os.read(terminal, 65536)
        except OSError: break
        if not shown: break
        os.write(1, shown)
status = os.waitpid(pid, 0)[1]
print('[ended', os.waitstatus_to_exitcode(status), end=']', flush=True)
`;

const directory = openTestDirectory();
let device: EmulatorServer | undefined;

beforeAll(() => {
  mkdirSync(join(directory, 'node_modules'));
  symlinkSync(join(root, 'node_modules/@zbc-signer'), join(directory, 'node_modules/@zbc-signer'));
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
  const programs = readText('docs/TESTING.md').matchAll(/```js\n\/\/ (screens\.\S+)\n([\s\S]*?)```/g);
  for (const [, name = '', source = ''] of programs) writeFileSync(join(directory, name), source);
});
afterEach(async () => {
  await device?.close();
  device = undefined;
});

const begin = async (module?: WebAssembly.Module) => {
  device = await startServer({ ledgerPort: 0, module });
  return device;
};

const JEST = join(root, 'node_modules/jest/bin/jest.js');
const START = ['--test', 'screens.node.js'];

interface Run {
  person: Person;
  /** Resolves with all output of the terminal. */
  ended: Promise<string>;
}

/** Runs Node with a device; at each page, `act` returns the typed answer, by default the correct one. */
function run(words: string[], port: number, act?: (page: number) => Promise<string | undefined>): Run {
  const env = { PATH: process.env.PATH, TMPDIR: directory, ZBC_SIGNER_DEVICE: `tcp://127.0.0.1:${port}` };
  const child = spawn('python3', ['-c', TERMINAL, process.execPath, ...words], { cwd: directory, env });
  const person = new Person(
    text => child.stdin.write(text),
    async (asked, page) => (await act?.(page)) ?? follow(device!.api, asked),
  );
  child.stdout.setEncoding('utf8').on('data', text => person.see(text));
  child.stderr.pipe(process.stderr);
  // A program that has ended reads nothing.
  child.stdin.on('error', () => undefined);
  return { person, ended: once(child, 'close').then(() => person.shown) };
}

test('a test of the harness passes if every page matches', async () => {
  const { apduPort, emulator } = await begin();
  const { person, ended } = run(START, apduPort);
  expect(await ended).toMatch(/pass 1\n[\s\S]*\[ended 0\]$/);
  expect(person.pages).toBeGreaterThan(2);
  expect(emulator.texts()).toEqual(['ZBC Signer', 'is ready']);
  expect(readdirSync(directory).filter(name => name.endsWith('.lock'))).toEqual([]);
});

test('tests in Jest also pass, and their output is shown', async () => {
  const { apduPort, emulator } = await begin();
  const options = ['--rootDir', directory, '--transform={}', '--runInBand', '--testTimeout=3600000'];
  const { person, ended } = run(['--experimental-vm-modules', JEST, ...options], apduPort);
  expect(await ended).toMatch(/3 passed, 3 total[\s\S]*\[ended 0\]$/);
  expect(person.shown).toContain('screens.test.js: shows who signs and what');
  expect(person.pages).toBeGreaterThan(10);
  expect(emulator.texts()).toEqual(['ZBC Signer', 'is ready']);
});

test('a test fails at the page that has one wrong pixel', async () => {
  const { apduPort, emulator } = await begin(await WebAssembly.compile(firmwareWithDisplayFault('A')));
  const shown = await run(START, apduPort).ended;
  expect(shown).toMatch(/\[ended 1\]$/);
  expect(shown).toContain('the display does not show "Address');
  expect(shown).toContain(`it shows: ${COMPLAINT}`);
  await until(() => !emulator.reviewing);
});

test('a test fails when the device is unplugged in the middle', async () => {
  const { apduPort } = await begin();
  const { ended } = run(START, apduPort, async page => {
    if (page === 2) await device?.close();
    return page === 2 ? '' : undefined;
  });
  expect(await ended).toMatch(/DEVICE_DISCONNECTED[\s\S]*\[ended 1\]$/);
});

test('Ctrl-C ends the test and the review on the device, and leaves no lock file behind', async () => {
  const { apduPort, emulator } = await begin();
  const { ended } = run(START, apduPort, async page => (page === 2 ? '\x03' : undefined));
  expect(await ended).toMatch(/\[ended (-2|1|130)\]$/);
  await until(() => !emulator.reviewing);
  expect(readdirSync(directory).filter(name => name.endsWith('.lock'))).toEqual([]);
});

test('Ctrl-C ends the conformance test with exit code 130', async () => {
  const { apduPort } = await begin();
  const { ended } = run([PROGRAM, 'conformance'], apduPort, async () => '\x03');
  expect(await ended).toMatch(/\[ended 130\]$/);
});

test('without a terminal, a test on a real device fails with NO_TERMINAL', async () => {
  const { apduPort } = await begin();
  const env = { PATH: process.env.PATH, TMPDIR: directory, ZBC_SIGNER_DEVICE: `tcp://127.0.0.1:${apduPort}` };
  const child = spawn(process.execPath, START, { cwd: directory, env, detached: true });
  const output = Buffer.concat(await child.stdout.toArray()).toString();
  expect(output).toContain('NO_TERMINAL');
});
