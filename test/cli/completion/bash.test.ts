import { spawnSync } from 'node:child_process';
import { runCli } from '../../../testkit/process/cli.js';

let script: string;
beforeAll(async () => {
  ({ stdout: script } = await runCli(['completion', 'bash']));
});

/** What bash offers after these words, of which the last is being typed. */
function complete(...words: string[]): string[] {
  const { status, stdout, stderr } = spawnSync(
    'bash',
    [
      '--norc',
      '-uc',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the braces are of bash.
      'source <(cat); COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _zbc_signer; printf "%s\\n" ${COMPREPLY[@]+"${COMPREPLY[@]}"}',
      'bash',
      'zbc-signer',
      ...words,
    ],
    { input: script, encoding: 'utf8' },
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
  [
    ['gateway', 'init', '--mode', 'p'],
    ['private', 'public'],
  ],
  // As readline takes --mode=p apart.
  [['gateway', 'init', '--mode', '=', 'pu'], ['public']],
  [
    ['node', 'list', '--kind', ''],
    ['nodes', 'gateways', 'relays', 'archivals'],
  ],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  // The value of an option is not a command, nor is there a list of amounts.
  [['--device', 'send', 'relay', ''], ['check']],
  [['send', '--amount', ''], []],
  [['sign-message', '--', '--j'], []],
])('%j offers %j', (words, offered) => {
  expect(complete(...words)).toEqual(offered);
});

test('the script is registered for the program, with the names of files where it offers nothing', () => {
  const { stdout } = spawnSync('bash', ['--norc', '-c', 'source <(cat); complete -p zbc-signer'], {
    input: script,
    encoding: 'utf8',
  });
  expect(stdout).toBe('complete -o bashdefault -o default -F _zbc_signer zbc-signer\n');
});

test('every command and option of --help is offered', async () => {
  const { stdout: help } = await runCli(['devnet', '--help']);
  const options = [...help.matchAll(/^ +(?:-\w, )?(--[a-z-]+)/gm)].map(([, name]) => name!);
  expect(complete('devnet', '--').sort()).toEqual([...new Set(options)].sort());
  const { stdout: top } = await runCli(['--help']);
  const commands = [...top.matchAll(/^ {2}zbc-signer ([a-z-]+)/gm)].map(([, name]) => name!);
  expect(complete('').sort()).toEqual([...new Set(commands)].sort());
});
