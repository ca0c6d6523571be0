import yargs, { type Argv } from 'yargs';
import { UsageError } from '../errors/errors.js';
import { EXIT_CODES } from '../errors/exit-codes.js';
import type { Terminal } from '../output/terminal.js';
import { type Command, type CommandGroup, type CommandRow, commandName } from './command.js';

const MAX_WIDTH = 110;
/**
 * Below this width, the second column of the help has no room for a word, so the terminal wraps the lines.
 */
const NARROW = 72;
/** The flag that the scripts of `completion` pass, followed by the words before the cursor. */
const COMPLETES = '--get-yargs-completions';

/** Parses one command line and runs its command from `groups`; never ends the process. */
export async function runCommandLine(
  args: readonly string[],
  terminal: Terminal,
  version: string,
  groups: readonly CommandGroup[],
): Promise<void> {
  const completes = args[0] === COMPLETES;
  const words = args.length === 0 ? ['--help'] : completes ? [...args] : protect(args);
  const rows = groups.flatMap(({ commands }) => commands);
  const invocation: Invocation = { path: [], terminal, loaded: await loadNamed(rows, words) };
  // Without a command, --help lists the commands in groups.
  const isGrouped = invocation.loaded.size === 0 && !completes;
  const parser = configureParser(version, isGrouped ? groups : []);
  for (const row of rows) addCommand(parser, isGrouped ? { ...row, summary: '' } : row, invocation);
  parser.fail((message: string | undefined, error: Error | undefined) => {
    // Errors of the parser itself are usage errors; any other error comes from a command.
    throw error === undefined || error.name === 'YError' ? complain(message ?? '', invocation.path) : error;
  });
  try {
    await parser.parseAsync(words);
  } catch (thrown) {
    if (thrown !== invocation) throw thrown;
  }
  const outcome = await invocation.run?.();
  if (outcome !== undefined) await terminal.print(outcome);
}

/** A NUL character, which no argument of a process can contain. */
const PROTECTION = '\0';

/**
 * Protects the words after `--`, which are arguments even if they begin with a dash, and a single dash for
 * stdin, which the parser would make empty.
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

/** Maps each row to its command; a group of subcommands has none. */
type Loaded = ReadonlyMap<CommandRow, Command | undefined>;

/**
 * Imports every command that the words may name, because the parser's completion cannot wait for a command's
 * options.
 */
async function loadNamed(rows: readonly CommandRow[], words: readonly string[]): Promise<Loaded> {
  const named = rows.filter(row => words.includes(commandName(row)));
  const entries = named.map(async row => [
    [row, (await row.load()).commands[commandName(row)]] as const,
    ...(await loadNamed(row.subcommands, words)),
  ]);
  return new Map((await Promise.all(entries)).flat());
}

interface Invocation {
  /** The rows of the command and its subcommand, which the parser appends. */
  path: CommandRow[];
  terminal: Terminal;
  loaded: Loaded;
  /** Runs the command that was parsed. */
  run?: () => ReturnType<Command['run']>;
}

function addCommand(parser: Argv, row: CommandRow, invocation: Invocation): void {
  const { path, terminal, loaded } = invocation;
  const command = loaded.get(row);
  const configure = (inner: Argv) => {
    path.push(row);
    for (const subcommand of row.subcommands) addCommand(inner, subcommand, invocation);
    return command === undefined ? requireSubcommand(inner, row) : declare(inner, command);
  };
  // The type declarations do not mention that `false` as the summary hides a command.
  const summary = (row.summary || false) as string;
  parser.command(row.usage, summary, configure, options => {
    if (command === undefined) return;
    rejectRepeated(options, command);
    terminal.json ||= options.json === true;
    const given = Object.fromEntries(
      Object.entries(options).map(([name, value]) => [name, unprotect(value)]),
    );
    invocation.run = () => command.run(given, terminal);
    // After a return, the parser would form the text of --help.
    throw invocation;
  });
}

function requireSubcommand(parser: Argv, row: CommandRow): Argv {
  const names = row.subcommands.map(each => `${commandName(row)} ${commandName(each)}`);
  return parser.demandCommand(1, `a subcommand is missing: ${names.join(', ')}`);
}

function declare(parser: Argv, { conflicts, examples, notes, ...definitions }: Command): Argv {
  for (const [name, argument] of Object.entries(definitions.arguments ?? {})) {
    parser.positional(name, { type: 'string', ...argument });
  }
  for (const [name, option] of Object.entries(definitions.options ?? {})) {
    // Options are not global: they belong to this command and not to its subcommands.
    parser.option(name, { type: 'string', requiresArg: option.type !== 'boolean', global: false, ...option });
  }
  for (const [line, what] of examples) parser.example(line, what);
  if (notes !== undefined) parser.epilogue(notes);
  return parser.conflicts(conflicts ?? {});
}

/** Rejects an option that occurs twice, because it is not known which of the two values is intended. */
function rejectRepeated(given: Readonly<Record<string, unknown>>, { options = {} }: Command): void {
  for (const [name, { array }] of Object.entries(options)) {
    if (!array && Array.isArray(given[name])) throw new UsageError(`--${name} was given more than once`);
  }
}

function complain(message: string, path: readonly CommandRow[]): UsageError {
  const words = message.replaceAll(PROTECTION, '').trim().split(/\s+/).join(' ');
  const usage = [...path.slice(0, -1).map(commandName), path.at(-1)?.usage ?? '<command>'].join(' ');
  return new UsageError(words, `Usage: zbc-signer ${usage} [options]; --help explains the options.`);
}

function configureParser(version: string, groups: readonly CommandGroup[]): Argv {
  const width = Math.min(MAX_WIDTH, process.stdout.columns || MAX_WIDTH);
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
    .option('json', { type: 'boolean', describe: 'print JSON on one line, including errors' })
    .strict()
    .recommendCommands()
    .demandCommand(1, 'a command is required')
    .epilogue([...groups.map(describeGroup), `Exit codes:\n${describeExitCodes()}`].join('\n\n'));
}

function describeGroup({ title, commands }: CommandGroup): string {
  // The parser aligns text with tabs in columns.
  return [`${title}:`, ...commands.map(({ usage, summary }) => `  ${usage}\t  ${summary}`)].join('\n');
}

function describeExitCodes(): string {
  return EXIT_CODES.map(({ code, meaning }) => `  ${`${code}`.padStart(3)}  ${meaning}`).join('\n');
}
