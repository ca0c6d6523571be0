import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { heldTimes } from '../../testkit/boards/qemu/clock.js';
import { freePort } from '../../testkit/network/free-port.js';
import { untilOpen } from '../../testkit/network/until-open.js';
import { readText } from '../../testkit/repository/repository.js';
import { copySources } from '../../testkit/repository/source-copy.js';

const PAGE = 'docs/PORTING.md';
/** Files that the page names before each block of C, in order. */
const FILES = ['registers.h', 'uart.c', 'board.c', 'flash.c'].map(name => `firmware/boards/mps2/${name}`);
const TICKS_MICROSECONDS = 5000;
/**
 * Groups that depend on a port, or all at a release; vectors.test.ts tests the module's own answers on every
 * board.
 */
const GROUPS =
  process.env.ALL_CASES === '1'
    ? ''
    : ['panel', 'buttons', 'busy', 'cancel', 'settings', 'power'].map(name => ` --only ${name}`).join('');

const [, port = ''] = readText(PAGE).split('## A port, step by step');
const steps = [...port.matchAll(/```(sh|c)\n([\s\S]*?)```/g)].map(([, kind, text]) => ({
  kind,
  text: text!,
}));
let directory: string;
let machine: ChildProcess | undefined;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'porting-'));
  copySources(directory);
});
afterAll(() => {
  machine?.kill();
  rmSync(directory, { recursive: true });
});

function run(script: string): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('sh', ['-e', '-c', script], {
    cwd: directory,
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

test('a port that follows docs/PORTING.md literally conforms', async () => {
  const files = [...FILES];
  const scripts = steps.filter(({ kind }) => kind === 'sh');
  for (const { kind, text } of steps) {
    if (kind === 'c') {
      writeFileSync(join(directory, files.shift()!), text);
      continue;
    }
    if (text === scripts.at(-2)!.text) break;
    expect(run(text)).toMatchObject({ status: 0 });
  }
  expect(files).toEqual([]);
  const [uart, monitor] = [await freePort(), await freePort()];
  const onPorts = (text: string) => text.replaceAll('4444', `${uart}`).replaceAll('4445', `${monitor}`);
  const [start, test] = scripts.slice(-2).map(({ text }) => onPorts(text));
  machine = spawn('sh', ['-c', `exec ${start}`], { cwd: directory, stdio: 'ignore' });
  await untilOpen(monitor);
  expect(run(test!.trimEnd() + GROUPS)).toMatchObject({
    status: 0,
    output: expect.stringContaining('The signer conforms'),
  });
}, 1_800_000);

test('the clock of the port continues while interrupts are held, and never goes back', async () => {
  const image = join(directory, 'dist/boards/mps2/zbc-signer');
  const times = await heldTimes(image, ['-M', 'mps2-an385', '-icount', 'shift=10'], TICKS_MICROSECONDS);
  expect(times.at(-1)! - times[0]!).toBeGreaterThanOrEqual(TICKS_MICROSECONDS);
});
