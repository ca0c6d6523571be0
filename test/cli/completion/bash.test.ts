import { spawnSync } from 'node:child_process';
import { installProgram, runCli } from '../../../testkit/process/cli.js';
import { openTestDirectory } from '../../../testkit/process/temporary-directory.js';

const directory = openTestDirectory();
let script: string;
beforeAll(async () => {
  installProgram(directory);
  ({ stdout: script } = await runCli(['completion', 'bash']));
});

const environment = () => ({ PATH: `${directory}:${process.env.PATH}`, SHELL: '/bin/bash' });

/** Returns bash's completions after these words, the last of which is incomplete. */
function complete(...words: string[]): string[] {
  const { status, stdout, stderr } = spawnSync(
    'bash',
    [
      '--norc',
      '-uc',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the braces belong to bash.
      'source <(cat); COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _zbc-signer_yargs_completions; printf "%s\\n" ${COMPREPLY[@]+"${COMPREPLY[@]}"}',
      'bash',
      'zbc-signer',
      ...words,
    ],
    { input: script, encoding: 'utf8', env: environment() },
  );
  expect([status, stderr]).toEqual([0, '']);
  return stdout.split('\n').filter(line => line !== '');
}

test.each<[words: string[], offered: string[]]>([
  [['sign'], ['sign-message']],
  [
    ['escrow', ''],
    ['approve', 'reject', 'list'],
  ],
  [
    ['escrow', 'list', '--a'],
    ['--address', '--all', '--account', '--api'],
  ],
  [['send', '--am'], ['--amount']],
  [['send-token', '--fee-in-token', 'n'], ['no']],
  [
    ['send-token', '--fee-in-token', ''],
    ['yes', 'no'],
  ],
  [
    ['completion', ''],
    ['--help', '--version', '--json', 'bash', 'zsh', 'fish'],
  ],
  [['--device', 'send', 'firmware', ''], ['verify']],
])('completes %j to %j', (words, offered) => {
  expect(complete(...words)).toEqual(offered);
});

test('every command and option of --help is offered', async () => {
  const { stdout: help } = await runCli(['devnet', '--help']);
  const options = [...help.matchAll(/^ +(?:-\w, )?(--[a-z-]+)/gm)].map(([, name]) => name!);
  expect(complete('devnet', '--').sort()).toEqual([...new Set(options)].sort());
  const { stdout: top } = await runCli(['--help']);
  const commands = [...top.matchAll(/^ {2}([a-z][a-z-]*) /gm)].map(([, name]) => name!);
  expect(complete('').sort()).toEqual([...new Set(commands)].sort());
});
