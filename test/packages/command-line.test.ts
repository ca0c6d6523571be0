import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { plainEnvironment } from '../../testkit/packages/npm.js';
import { Project } from '../../testkit/packages/project.js';
import { manifestOf } from '../../testkit/packages/tarballs.js';

const MIN_RUNS = 15;
/** A busy machine needs more of them to have an undisturbed one of each. */
const MAX_RUNS = 100;
const VERSION_MS = 50;
const READY_FACTOR = 1.5;
const READY_MS = 100;

let project: Project;
let command: string;

beforeAll(() => {
  project = new Project();
  project.install(['cli']);
  command = join(project.directory, 'node_modules/zbc-signer/bin/zbc-signer.js');
});
afterAll(() => project.remove());

/** Milliseconds from the start of Node to its first line or, without one, to its end. */
async function timeNode(words: readonly string[]): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, words, {
    cwd: project.directory,
    env: plainEnvironment(),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = once(child, 'exit');
  await Promise.race([once(createInterface(child.stdout), 'line'), exited]);
  const milliseconds = performance.now() - start;
  child.kill();
  await exited;
  return milliseconds;
}

/** The times of each command, in the order in which they were measured. */
type Times<Name extends string> = Record<Name, number[]>;

/** Runs each command as often as the others, in turn, so that a busy moment slows all of them. */
async function measure<Name extends string>(
  commands: Record<Name, readonly string[]>,
  isEnough: (fastest: Record<Name, number>) => boolean,
): Promise<Times<Name>> {
  const names = Object.keys(commands) as Name[];
  const times = Object.fromEntries(names.map(name => [name, [] as number[]])) as Times<Name>;
  const fastest = () =>
    Object.fromEntries(names.map(name => [name, Math.min(...times[name])])) as Record<Name, number>;
  for (let round = 0; round < MAX_RUNS && (round < MIN_RUNS || !isEnough(fastest())); round += 1) {
    for (const name of names) times[name].push(await timeNode(commands[name]));
  }
  return times;
}

function summarise(all: readonly number[]): string {
  const sorted = all.toSorted((one, other) => one - other);
  const [fastest, median] = [sorted[0]!, sorted[sorted.length >> 1]!].map(Math.round);
  return `median ${median} ms, fastest ${fastest} ms of ${all.length}`;
}

test('npx runs the published command', () => {
  const { status, stdout } = project.run('npx', 'zbc-signer', '--version');
  expect([status, stdout]).toEqual([0, `${manifestOf('cli').version}\n`]);
});

test('the demonstration confirms a transfer', () => {
  const { status, stdout } = project.run('zbc-signer', 'demo');
  expect([status, stdout]).toEqual([
    0,
    expect.stringContaining('The device and the chain agree on the hash.'),
  ]);
});

test('the demonstration says so at once on a machine without a loopback interface', () => {
  const { status, stderr } = project.run('unshare', '-rn', 'timeout', '30', 'zbc-signer', 'demo');
  expect([status, stderr]).toEqual([2, expect.stringContaining('this machine has no loopback interface')]);
});

test('every command shows its help', () => {
  const { stdout } = project.run('zbc-signer', '--help');
  const commands = [...stdout.matchAll(/^ {2}zbc-signer (\S+)/gm)].map(match => match[1]!);
  expect(commands.length).toBeGreaterThan(20);
  const failed = [...new Set(commands)].filter(
    name => project.run('zbc-signer', name, '--help').status !== 0,
  );
  expect(failed).toEqual([]);
});

test('starts as fast as promised', async () => {
  const ports = ['--api-port', 'auto', '--apdu-port', 'auto', '--ledger-port', 'auto'];
  // The fastest of each: other programs on this machine only ever slow one down.
  const isFast = (fastest: Record<'bare' | 'version' | 'emulator', number>) =>
    fastest.version <= fastest.bare + VERSION_MS &&
    fastest.emulator <= READY_FACTOR * fastest.bare + READY_MS;
  const commands = {
    bare: ['-e', '0'],
    version: [command, '--version'],
    emulator: [command, 'emulator', ...ports],
  };
  const { bare, version, emulator } = await measure(commands, isFast);
  console.log(`node: ${summarise(bare)}\n--version: ${summarise(version)}\nemulator: ${summarise(emulator)}`);
  const fastest = {
    bare: Math.min(...bare),
    version: Math.min(...version),
    emulator: Math.min(...emulator),
  };
  expect(fastest.version).toBeLessThanOrEqual(fastest.bare + VERSION_MS);
  expect(fastest.emulator).toBeLessThanOrEqual(READY_FACTOR * fastest.bare + READY_MS);
});
