import { Project } from '../../testkit/packages/project.js';
import { manifestOf } from '../../testkit/packages/tarballs.js';

let project: Project;

beforeAll(() => {
  project = new Project();
  project.install(['cli']);
});
afterAll(() => project.remove());

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

test('the demonstration reports at once that the machine has no loopback interface', () => {
  const { status, stderr } = project.run('unshare', '-rn', 'timeout', '240', 'zbc-signer', 'demo');
  expect([status, stderr]).toEqual([2, expect.stringContaining('this machine has no loopback interface')]);
});

test('every command shows its help', () => {
  const { stdout } = project.run('zbc-signer', '--help');
  const commands = [...stdout.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(match => match[1]!);
  expect(commands.length).toBeGreaterThan(20);
  const failed = [...new Set(commands)].filter(
    name => project.run('zbc-signer', name, '--help').status !== 0,
  );
  expect(failed).toEqual([]);
});
