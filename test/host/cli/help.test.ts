import { EXIT_CODES } from '../../../host/src/cli/exit-codes.js';
import { describeFailure } from '../../../host/src/cli/failure.js';
import { runCli } from '../../support/cli.js';

test('without a word, and with --help, every command and exit code is listed on stdout', async () => {
  const [alone, asked] = await Promise.all([runCli([]), runCli(['--help'])]);
  expect(alone).toEqual(asked);
  expect(asked).toMatchObject({ code: 0, stderr: '' });
  const commands =
    'address balance send send-token escrow sign-message status history block tokens markets orderbook offers node relay releases verify tx version emulator devnet gateway gallery demo'.split(
      ' ',
    );
  for (const command of commands) {
    expect(asked.stdout).toMatch(new RegExp(`^  zbc-signer ${command}\\b`, 'm'));
  }
  for (const { code, meaning } of EXIT_CODES) {
    expect(asked.stdout).toContain(`${code}  ${meaning}`);
  }
});

test('help of a command teaches by examples', async () => {
  const { code, stdout } = await runCli(['send', '--help']);
  expect(code).toBe(0);
  expect(stdout).toContain('Examples:');
  expect(stdout).toContain('zbc-signer send --to ZBC_7VCH… --amount 1.5');
});

test('exit codes are all different', () => {
  expect(new Set(EXIT_CODES.map(({ code }) => code)).size).toBe(EXIT_CODES.length);
});

test('an error that nobody foresaw is called a bug, in one clean line', () => {
  expect(describeFailure(new TypeError('x is not\na \u001b[31mfunction'))).toMatchObject({
    exit: 1,
    code: 'UNEXPECTED',
    message: 'unexpected error: x is not a [31mfunction',
  });
});
