import { EXIT_CODES } from '#cli/errors/exit-codes.js';
import { describeFailure } from '#cli/errors/failure.js';
import { runCommand } from '../../../testkit/process/cli.js';

const COMMAND_NAMES = [
  'address',
  'accounts',
  'balance',
  'faucet',
  'send',
  'send-token',
  'escrow',
  'sign-message',
  'verify-message',
  'status',
  'history',
  'block',
  'tokens',
  'markets',
  'orderbook',
  'offers',
  'node',
  'relay',
  'releases',
  'verify',
  'tx',
  'version',
  'bridge',
  'devices',
  'udev-rules',
  'conformance',
  'image',
  'firmware',
  'emulator',
  'trace',
  'snapshots',
  'devnet',
  'gateway',
  'gallery',
  'completion',
  'demo',
];

test('--help, and no arguments, list every command and exit code on stdout', async () => {
  const [bare, asked] = await Promise.all([runCommand([]), runCommand(['--help'])]);
  expect(bare).toEqual(asked);
  expect(asked).toMatchObject({ code: 0, stderr: '' });
  for (const command of COMMAND_NAMES) {
    expect(asked.stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
  }
  for (const { code, meaning } of EXIT_CODES) expect(asked.stdout).toContain(`${code}  ${meaning}`);
});

test('--help groups the commands by audience', async () => {
  const { stdout } = await runCommand(['--help']);
  const titles = [...stdout.matchAll(/^([A-Z][a-z ]+):$/gm)].map(([, title]) => title);
  expect(titles).toEqual([
    'Options',
    'Wallet',
    'Chain',
    'Device',
    'Tests',
    'Operators and shells',
    'Exit codes',
  ]);
});

test('the help of a command has examples', async () => {
  const { code, stdout } = await runCommand(['send', '--help']);
  expect(code).toBe(0);
  expect(stdout).toContain('Examples:');
  expect(stdout).toContain('zbc-signer send --to ZBC_7VCH… --amount 1.5');
});

test('--version prints one line, or an object with --json', async () => {
  const [line, object, after] = await Promise.all([
    runCommand(['--version']),
    runCommand(['--version', '--json']),
    runCommand(['--json', 'send', '-V']),
  ]);
  const version = line.stdout.trim();
  expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(JSON.parse(object.stdout)).toEqual({ host_version: version });
  expect(after.stdout).toBe(object.stdout);
});

test('exit codes are unique', () => {
  expect(new Set(EXIT_CODES.map(({ code }) => code)).size).toBe(EXIT_CODES.length);
});

test('an unexpected error is reported as a bug, in one line without control characters', () => {
  expect(describeFailure(new TypeError('x is not\na \u001b[31mfunction'))).toMatchObject({
    exit: 1,
    code: 'UNEXPECTED',
    message: 'unexpected error: x is not a [31mfunction',
  });
});
