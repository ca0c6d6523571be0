import yargs from 'yargs';
import { defineCommand } from './command.js';

const completion = defineCommand({
  arguments: {
    shell: {
      choices: ['bash', 'zsh', 'fish'],
      demandOption: true,
      describe: 'shell for which the script is printed',
    },
  },
  examples: [
    ['source <($0 completion bash)', 'in ~/.bashrc'],
    ['source <($0 completion zsh)', 'in ~/.zshrc, after compinit'],
    ['$0 completion fish | source', 'in ~/.config/fish/config.fish'],
  ],

  async run({ shell }) {
    // The parser reads the shell from the environment.
    process.env.SHELL = shell;
    yargs().scriptName('zbc-signer').showCompletionScript();
    return undefined;
  },
});

export const commands = { completion };
