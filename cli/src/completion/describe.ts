import type { Argv } from 'yargs';
import { type CommandRow, commandName } from '../parser/command.js';

/** An option of a command; a switch takes no value. */
export interface DescribedOption {
  /** With dashes: `--output`, `-o`. */
  names: readonly string[];
  description: string;
  takesValue: boolean;
  choices: readonly string[];
}

/** A command, or with an empty path the program. */
export interface DescribedCommand {
  /** `gateway init`. */
  path: string;
  subcommands: readonly { name: string; description: string }[];
  options: readonly DescribedOption[];
  /** The values of an argument that has a fixed set of them. */
  choices: readonly string[];
}

interface OptionDefinition {
  alias?: string;
  type?: string;
  describe?: string;
  choices?: readonly string[];
}

const ALWAYS: readonly DescribedOption[] = [
  { names: ['--help', '-h'], description: 'Show help', takesValue: false, choices: [] },
  { names: ['--version', '-V'], description: 'Show version number', takesValue: false, choices: [] },
];

/** What a command declares to the parser. */
class Declarations {
  readonly options = new Map<string, OptionDefinition>();
  readonly positionals = new Map<string, OptionDefinition>();

  /** A command's `configure` calls these alone; each returns the parser. */
  get parser(): Argv {
    const ignore = () => parser;
    const parser = {
      options: (definitions: Record<string, OptionDefinition>) => {
        for (const [name, definition] of Object.entries(definitions)) this.options.set(name, definition);
        return parser;
      },
      positional: (name: string, definition: OptionDefinition) => {
        this.positionals.set(name, definition);
        return parser;
      },
      conflicts: ignore,
      example: ignore,
      group: ignore,
      epilogue: ignore,
      usage: ignore,
    };
    return parser as unknown as Argv;
  }
}

/** The program and every command, parents before their subcommands. */
export async function describeCommands(rows: readonly CommandRow[]): Promise<DescribedCommand[]> {
  const program = { path: '', subcommands: rows.map(nameRow), options: ALWAYS, choices: [] };
  return [program, ...(await describeRows(rows, ''))];
}

async function describeRows(rows: readonly CommandRow[], parent: string): Promise<DescribedCommand[]> {
  const described = await Promise.all(rows.map(row => describeRow(row, parent)));
  return described.flat();
}

async function describeRow(row: CommandRow, parent: string): Promise<DescribedCommand[]> {
  const path = `${parent} ${commandName(row)}`.trimStart();
  const declared = new Declarations();
  (await row.load?.())?.command.configure(declared.parser);
  const own = {
    path,
    subcommands: (row.subcommands ?? []).map(nameRow),
    options: [...[...declared.options].map(describeOption), ...ALWAYS],
    choices: [...declared.positionals.values()].flatMap(({ choices = [] }) => choices),
  };
  return [own, ...(await describeRows(row.subcommands ?? [], path))];
}

function nameRow(row: CommandRow): { name: string; description: string } {
  return { name: commandName(row), description: row.summary };
}

function describeOption([name, definition]: [string, OptionDefinition]): DescribedOption {
  const { alias, describe = '', type, choices = [] } = definition;
  const names = [`--${name}`, ...(alias === undefined ? [] : [`-${alias}`])];
  return { names, description: describe, takesValue: type !== 'boolean', choices };
}
