import type { ArgumentsCamelCase, Argv } from 'yargs';
import type { Outcome, Terminal } from '../output/terminal.js';

/** A command's options, examples and action; its usage and summary are in the table of commands. */
interface CommandDefinition<Options> {
  configure(yargs: Argv): Argv<Options>;
  /** Returns what to print; a command that prints by itself returns undefined. `commands` is the whole table. */
  run(
    options: ArgumentsCamelCase<Options>,
    terminal: Terminal,
    commands: readonly CommandRow[],
  ): Promise<Outcome | undefined>;
}

/** A CommandDefinition with any options. */
export interface Command {
  configure(yargs: Argv): unknown;
  run(options: object, terminal: Terminal, commands: readonly CommandRow[]): Promise<Outcome | undefined>;
}

/** A row of the table of commands. */
export interface CommandRow {
  /** The command's name and its arguments, as `--help` prints them: `balance [address]`. */
  usage: string;
  /** One line for the list of commands. */
  summary: string;
  /** Imports the command's module. A row without it only groups its subcommands. */
  load?: () => Promise<{ command: Command }>;
  subcommands?: readonly CommandRow[];
}

export function defineCommand<Options>(definition: CommandDefinition<Options>): Command {
  return definition;
}

export function commandName({ usage }: CommandRow): string {
  return usage.split(' ')[0]!;
}
