import type { Outcome, Terminal } from '../output/terminal.js';

/** An option or an argument. Numbers are strings to the parser: none may pass through floating point. */
interface ValueDefinition {
  describe: string;
  /** Default: a string. */
  type?: 'boolean';
  choices?: readonly string[];
  /** Given more than once, or an argument of several words; any other option may be given once. */
  array?: true;
  /** How many words follow each option of an array. Default: all up to the next option. */
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

/** What the parser makes of the definitions: `max-fee` is `maxFee`. */
type Values<Of> = {
  [Name in keyof Of as CamelCase<Name>]: Of[Name] extends { demandOption: true } | { default: string }
    ? Value<Of[Name]>
    : Value<Of[Name]> | undefined;
};

/** A command's arguments, options and action; its usage and summary are in the table of commands. */
interface CommandDefinition<Arguments, Options> {
  /** Those of its usage, by name. */
  arguments?: Arguments;
  options?: Options;
  /** What each of these options excludes. */
  conflicts?: Readonly<Record<string, readonly string[]>>;
  examples: readonly (readonly [line: string, what: string])[];
  /** What `--help` ends with. */
  notes?: string;
  /** Returns what to print; a command that prints by itself returns undefined. */
  run(options: Values<Arguments & Options>, terminal: Terminal): Promise<Outcome | undefined>;
}

/** A CommandDefinition with any options. */
export interface Command extends Omit<CommandDefinition<Definitions, Definitions>, 'run'> {
  run(options: object, terminal: Terminal): Promise<Outcome | undefined>;
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

/** The commands of those who need them. */
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

export function commandName({ usage }: CommandRow): string {
  return usage.split(' ')[0]!;
}
