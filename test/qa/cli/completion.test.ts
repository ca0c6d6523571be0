import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installProgram, runCli } from '../../../testkit/process/cli.js';
import { openTestDirectory } from '../../../testkit/process/temporary-directory.js';

const directory = openTestDirectory();
beforeAll(async () => {
  installProgram(directory);
  for (const shell of ['zsh', 'fish']) {
    writeFileSync(join(directory, `script.${shell}`), (await runCli(['completion', shell])).stdout);
  }
});

const environment = (shell: string) => ({
  PATH: `${directory}:${process.env.PATH}`,
  HOME: directory,
  TERM: 'xterm',
  SHELL: `/bin/${shell}`,
});

/** The text typed before Tab, and the resulting line or first completion. */
const TYPED: [typed: string, completed: string][] = [
  ['zbc-signer sign', 'sign-message'],
  ['zbc-signer escrow ap', 'approve'],
  ['zbc-signer --device tx escrow li', 'list'],
  ['zbc-signer devices --transport u', 'usb'],
  ['zbc-signer send --amo', '--amount'],
  ['zbc-signer completion fi', 'fish'],
];

test.each(TYPED)('fish completes "%s" to %s, and describes the commands', (typed, completed) => {
  const command = `source ${join(directory, 'script.fish')}; complete -C '${typed}'`;
  const { status, stdout } = spawnSync('fish', ['--no-config', '-c', command], {
    encoding: 'utf8',
    env: environment('fish'),
  });
  expect([status, stdout.split(/[\t\n]/)[0]]).toEqual([0, completed]);
});

test('zsh completes each typed line on a terminal', () => {
  // Every line is typed into an interactive zsh, completed with Tab and then deleted.
  const types = TYPED.map(
    ([typed, completed]) =>
      `zpty -w -n z "${typed}"$'\\t'; zpty -r -m z out '*${completed}*'; print -r -- "$out"; zpty -w -n z $'\\C-u'`,
  );
  const lines = [
    'zmodload zsh/zpty',
    'zpty z zsh -f -i',
    `zpty -w z "autoload -Uz compinit; compinit -u -d ${directory}/dump; source ${directory}/script.zsh; print lo''aded"`,
    "zpty -r -m z out '*loaded*'",
    ...types,
    'zpty -d z',
  ];
  writeFileSync(join(directory, 'type.zsh'), lines.join('\n'));
  const script = join(directory, 'type.zsh');
  const { stdout } = spawnSync('zsh', ['-f', script], {
    encoding: 'utf8',
    timeout: 240_000,
    env: environment('zsh'),
  });
  for (const [typed, completed] of TYPED) expect(stdout).toContain(typed.replace(/\S+$/, completed));
});
