import { SHELLS } from '../completion/scripts.js';
import { defineCommand } from '../parser/command.js';
import { JSON_OPTION } from '../parser/options.js';

export const command = defineCommand({
  configure: yargs =>
    yargs
      .positional('shell', { choices: SHELLS, demandOption: true, describe: 'the shell that reads it' })
      .options(JSON_OPTION)
      .example('source <($0 completion bash)', 'in ~/.bashrc')
      .example('source <($0 completion zsh)', 'in ~/.zshrc, after compinit')
      .example('$0 completion fish | source', 'in ~/.config/fish/config.fish'),

  async run({ shell }, _terminal, commands) {
    const { describeCommands } = await import('../completion/describe.js');
    const { completionScript } = await import('../completion/scripts.js');
    const script = completionScript(shell, await describeCommands(commands));
    return { json: { shell, script }, text: script };
  },
});
