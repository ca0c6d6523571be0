import yargs, { type Argv } from 'yargs';
import { UsageError } from '../errors/errors.js';
import { EXIT_CODES } from '../exit-codes.js';
import type { Terminal } from '../output/terminal.js';
import { type CommandRow, commandName } from './command.js';
import { argumentsOf, explainComplaint } from './complaint.js';
import { narrowHelp } from './narrow-help.js';
import { ONE_OF } from './options.js';

const MAX_WIDTH = 110;
/** The parser's two columns leave less than a word to the second one. */
const NARROW = 72;

/** Parses one command line and runs its command, one of `commands`; nothing here ends the process. */
export async function runCommandLine(
  args: readonly string[],
  terminal: Terminal,
  version: string,
  commands: readonly CommandRow[],
): Promise<void> {
  const width = Math.min(MAX_WIDTH, process.stdout.columns || MAX_WIDTH);
  const parser = configureParser(version, width);
  const path: CommandRow[] = [];
  for (const row of commands) addCommand(parser, row, { path, terminal, commands });
  let options: readonly string[] = [];
  let missing: readonly string[] = [];
  parser.fail((message, error) => {
    options = optionsOf(parser);
    missing = missingOptionsOf(parser, path);
    throw error ?? new Complaint(message);
  });
  let output = '';
  const keep = (_error: unknown, _parsed: unknown, text: string) => {
    output = text;
  };
  try {
    const parsed = await parser.parseAsync(args.length === 0 ? ['--help'] : protect(args), {}, keep);
    if (output !== '') {
      rejectExtraWords(parsed._.slice(path.length).map(String), path);
      if (output === version) await terminal.print({ json: { host_version: version }, text: version });
      else process.stdout.write(`${width < NARROW ? narrowHelp(output, width) : output}\n`);
    }
  } catch (error) {
    if (!isComplaint(error)) throw error;
    throw explainComplaint(error.message.replaceAll(PROTECTION, ''), {
      commands,
      args,
      path,
      options,
      missing,
    });
  }
}

/** No argument of a process can contain it. */
const PROTECTION = '\0';

/**
 * The words after `--` are arguments, whatever they start with. A dash alone stands for stdin, and the parser
 * would make it empty.
 */
function protect(args: readonly string[]): string[] {
  const end = args.indexOf('--');
  const [own, rest] = end === -1 ? [args, []] : [args.slice(0, end), args.slice(end + 1)];
  return [
    ...own.map(word => (word === '-' ? PROTECTION + word : word)),
    ...rest.map(word => PROTECTION + word),
  ];
}

function unprotect<Value>(value: Value): Value {
  if (typeof value === 'string') return value.replace(PROTECTION, '') as Value;
  return Array.isArray(value) ? (value.map(unprotect) as Value) : value;
}

/** The parser prints a help text or the version without looking at the words. */
function rejectExtraWords([word]: readonly string[], path: readonly CommandRow[]): void {
  if (word !== undefined && argumentsOf(path).length === 0) throw new Complaint(`Unknown argument: ${word}`);
}

/** The parser rejects the command line. */
class Complaint extends Error {
  override readonly name = 'Complaint';
}

/** The parser also throws errors with the name YError; any other error comes from a command. */
function isComplaint(error: unknown): error is Error {
  return error instanceof Error && (error instanceof Complaint || error.name === 'YError');
}

interface Invocation {
  /** The parser appends each row that the arguments name. */
  path: CommandRow[];
  terminal: Terminal;
  commands: readonly CommandRow[];
}

function addCommand(yargs: Argv, row: CommandRow, invocation: Invocation): void {
  const { path, terminal, commands } = invocation;
  let loaded: Awaited<ReturnType<NonNullable<CommandRow['load']>>> | undefined;
  const configure = async (inner: Argv) => {
    path.push(row);
    if (row.load === undefined) inner.options(JSON_BEFORE_COMMAND);
    for (const subcommand of row.subcommands ?? []) addCommand(inner, subcommand, invocation);
    loaded = await row.load?.();
    loaded?.command.configure(inner);
    return inner;
  };
  // The types know only builders that return at once; the parser waits for others.
  yargs.command(row.usage, row.summary, configure as unknown as (inner: Argv) => Argv, async options => {
    if (loaded === undefined) throw missingSubcommand(path);
    terminal.json ||= Reflect.get(options, 'json') === true;
    const given = Object.fromEntries(
      Object.entries(options).map(([name, value]) => [name, unprotect(value)]),
    );
    const outcome = await loaded.command.run(given, terminal, commands);
    if (outcome !== undefined) await terminal.print(outcome);
  });
}

function missingSubcommand(path: readonly CommandRow[]): UsageError {
  const group = path.map(commandName).join(' ');
  const names = path.at(-1)?.subcommands?.map(row => `${group} ${commandName(row)}`) ?? [];
  return new UsageError(`missing subcommand: ${names.join(', ')}`, `See zbc-signer ${group} --help`);
}

function optionsOf(parser: Argv): string[] {
  return Object.keys(Reflect.get(Object(Reflect.get(parser, 'parsed')), 'aliases') ?? {});
}

/** The names of required options that were not given. */
function missingOptionsOf(parser: Argv, path: readonly CommandRow[]): string[] {
  const given = Object(Reflect.get(Object(Reflect.get(parser, 'parsed')), 'argv'));
  const isMissing = (name: string) => Reflect.get(given, name) === undefined;
  // The types know neither.
  const { getDemandedOptions, getGroups } = parser as unknown as {
    getDemandedOptions(): object;
    getGroups(): Record<string, string[]>;
  };
  const demanded = Object.keys(getDemandedOptions.call(parser)).filter(isMissing);
  const choice = getGroups.call(parser)[ONE_OF] ?? [];
  return [
    ...(choice.length > 0 && choice.every(isMissing) ? [`--${choice.join(' or --')}`] : []),
    ...demanded.filter(name => !argumentsOf(path).includes(name)).map(name => `--${name}`),
  ];
}

/** Otherwise the parser would take the command in `--json balance` for the value of an option. */
const JSON_BEFORE_COMMAND = { json: { type: 'boolean', hidden: true, global: false } } as const;

function configureParser(version: string, width: number): Argv {
  return yargs()
    .scriptName('zbc-signer')
    .usage('$0 <command> [options]\n\nThe command line of the ZBC hardware signer.')
    .locale('en')
    .parserConfiguration({
      'parse-numbers': false,
      'parse-positional-numbers': false,
      'boolean-negation': false,
      'dot-notation': false,
    })
    .exitProcess(false)
    .wrap(width < NARROW ? null : width)
    .help()
    .alias('help', 'h')
    .version(version)
    .alias('version', 'V')
    .options(JSON_BEFORE_COMMAND)
    .strict()
    .demandCommand(1, 'a command is required')
    .epilogue(`Exit codes:\n${describeExitCodes()}`)
    .check(rejectRepeated);
}

function describeExitCodes(): string {
  return EXIT_CODES.map(({ code, meaning }) => `  ${`${code}`.padStart(3)}  ${meaning}`).join('\n');
}

/** Of two amounts, neither is the one to send: only options declared as arrays may be repeated. */
function rejectRepeated(options: Record<string, unknown>, declared: object): true {
  const arrays = ['_', '--', ...(Reflect.get(declared, 'array') as string[])];
  for (const [name, value] of Object.entries(options)) {
    const isCamelCase = /[A-Z]/.test(name);
    if (Array.isArray(value) && !isCamelCase && !arrays.includes(name)) {
      throw new UsageError(`--${name} was given more than once`);
    }
  }
  return true;
}
