import { EXIT_CODES } from '#cli/errors/exit-codes.js';
import { describeFailure } from '#cli/errors/failure.js';
import { runCommand } from '../../../testkit/process/cli.js';

test('--help, and no arguments, list the exit codes on stdout', async () => {
  const [bare, asked] = await Promise.all([runCommand([]), runCommand(['--help'])]);
  expect(bare).toEqual(asked);
  expect(asked).toMatchObject({ code: 0, stderr: '' });
  for (const { code, meaning } of EXIT_CODES) expect(asked.stdout).toContain(`${code}  ${meaning}`);
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
