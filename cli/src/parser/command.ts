import type { Outcome, Terminal } from '../output/terminal.js';

/** An option or an argument. Numbers are parsed as strings, so that none passes through floating point. */
interface ValueDefinition {
  describe: string;
  /** Type of the option. Default: a string. */
  type?: 'boolean' | 'string';
  choices?: readonly string[];
  /** Allows the option to occur several times, or the argument to have several words. */
  array?: true;
  /** Number of words after each occurrence of an array option. Default: all up to the next option. */
  nargs?: 1;
  demandOption?: true;
  default?: string;
  alias?: string;
}

type Definitions = Readonly<Record<string, ValueDefinition>>;

type Value<Definition> = Definition extends { type: 'boolean' }
  ? boolean
  : Definition extends { array: true }
    ? string[]
    : Definition extends { choices: readonly (infer Choice)[] }
      ? Choice
      : string;

type CamelCase<Name> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** The values parsed from the definitions: `max-fee` becomes `maxFee`. */
type Values<Of> = {
  [Name in keyof Of as CamelCase<Name>]: Of[Name] extends { demandOption: true } | { default: string }
    ? Value<Of[Name]>
    : Value<Of[Name]> | undefined;
};

/** The parsed values of some of these options. */
export type Given<Options> = Partial<Values<Options>>;

/** A command's arguments, options and action; its usage and summary are in the table of commands. */
interface CommandDefinition<Arguments, Options> {
  /** Definitions of the arguments in the command's usage, by name. */
  arguments?: Arguments;
  options?: Options;
  /** Options that exclude each other. */
  conflicts?: Readonly<Record<string, readonly string[]>>;
  examples: readonly (readonly [line: string, what: string])[];
  /** Text at the end of `--help`. */
  notes?: string;
  /** Returns the text to print; a command that prints its own output returns undefined. */
  run(options: Values<Arguments & Options>, terminal: Terminal): Promise<Outcome | undefined>;
}

/** A CommandDefinition of any type of options. */
export interface Command extends Omit<CommandDefinition<Definitions, Definitions>, 'run'> {
  run(options: object, terminal: Terminal): Promise<Outcome | undefined>;
}

/** The commands of a module, by name. */
type Load = () => Promise<{ commands: Readonly<Record<string, Command>> }>;

/** A row of the table of commands. */
export interface CommandRow {
  /** The command's name and its arguments, as `--help` prints them: `balance [address]`. */
  usage: string;
  /** One line for the list of commands. */
  summary: string;
  /** Imports the module, which has no command for a row that only groups its subcommands. */
  load: Load;
  subcommands: readonly CommandRow[];
}

/** A row of the table; its subcommands are in the same module. */
export function row(
  usage: string,
  summary: string,
  load: Load,
  subcommands: readonly (readonly [usage: string, summary: string])[] = [],
): CommandRow {
  return { usage, summary, load, subcommands: subcommands.map(each => row(...each, load)) };
}

/** The commands for one group of users. */
export interface CommandGroup {
  title: string;
  commands: readonly CommandRow[];
}

export function defineCommand<
  const Arguments extends Definitions = Readonly<Record<never, never>>,
  const Options extends Definitions = Readonly<Record<never, never>>,
>(definition: CommandDefinition<Arguments, Options>): Command {
  return definition as Command;
}

export function commandName({ usage }: Pick<CommandRow, 'usage'>): string {
  return usage.split(' ')[0]!;
}
