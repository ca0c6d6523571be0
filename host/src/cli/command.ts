import type { ArgumentsCamelCase, Argv } from 'yargs';
import type { Outcome, Terminal } from './terminal.js';

/** One command: what yargs has to know, and what it does. What it needs beyond that is imported when it runs. */
export interface Command<Options> {
  usage: string;
  summary: string;
  configure: (yargs: Argv) => Argv<Options>;
  /** Commands behind this one's name, such as `emulator docker`. */
  subcommands?: readonly Subcommand[];
  run: (options: ArgumentsCamelCase<Options>, terminal: Terminal) => Promise<Outcome | undefined>;
}

/** A command with options of a type of its own; adds itself. */
export type Subcommand = (yargs: Argv, terminal: Terminal) => void;

/** Only gives the type of the options a name. */
export function defineCommand<Options>(command: Command<Options>): Command<Options> {
  return command;
}

/** The command's name, the first word of its usage. */
export function addCommand<Options>(yargs: Argv, command: Command<Options>, terminal: Terminal): string {
  const configure = (inner: Argv) => {
    for (const addSubcommand of command.subcommands ?? []) addSubcommand(inner, terminal);
    return command.configure(inner);
  };
  yargs.command(command.usage, command.summary, configure, async options => {
    terminal.json ||= Reflect.get(options, 'json') === true;
    const outcome = await command.run(options, terminal);
    if (outcome !== undefined) {
      await terminal.print(outcome);
    }
  });
  return command.usage.split(' ')[0]!;
}
