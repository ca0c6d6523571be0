import { closestMatch } from 'leven';
import { UsageError } from '../errors/errors.js';
import { type CommandRow, commandName } from './command.js';

/**
 * Every command, the arguments, the command that they name after its parents, the names of its options, and
 * those of the options that it requires and was not given: `--key or --development` for one of two.
 */
interface CommandLine {
  commands: readonly CommandRow[];
  args: readonly string[];
  path: readonly CommandRow[];
  options: readonly string[];
  missing: readonly string[];
}

/** Rewrites the parser's complaint as one line that names the argument at fault, with a suggestion. */
export function explainComplaint(complaint: string, line: CommandLine): UsageError {
  const unknown = /^Unknown (?:argument|command)s?: ([^\n]+)/.exec(complaint)?.[1];
  if (unknown !== undefined) return explainUnknown(unknown.split(', '), line);
  return new UsageError(rewrite(complaint, line), hintToHelp(line));
}

function rewrite(complaint: string, line: CommandLine): string {
  for (const [pattern, describe] of REWRITES) {
    const match = pattern.exec(complaint);
    if (match !== null) return describe(match.slice(1), line);
  }
  return joinLines(complaint);
}

const REWRITES: readonly [pattern: RegExp, describe: (parts: string[], line: CommandLine) => string][] = [
  [
    /^Not enough arguments following: (.+)$/,
    ([name = '']) => `${name.length === 1 ? '-' : '--'}${name} needs a value`,
  ],
  [/^Not enough non-option arguments: got (\d+)/, ([given], line) => describeMissing(Number(given), line)],
  [/^Missing required arguments?: /, (_parts, { missing }) => `missing ${missing.join(', ')}`],
  [
    /^Arguments (\S+) and (\S+) are mutually exclusive$/,
    ([one, other]) => `--${one} conflicts with --${other}`,
  ],
  [
    /^Invalid values:\s+Argument: (\S+), Given: .*, Choices: (.+)$/,
    ([name = '', choices], { path }) =>
      `${argumentsOf(path).includes(name) ? name : `--${name}`} must be one of ${choices}`,
  ],
];

/** The names of the command's arguments, in the order of its usage: required ones come first. */
export function argumentsOf(path: readonly CommandRow[]): string[] {
  return [...(path.at(-1)?.usage ?? '').matchAll(/[<[]([\w-]+)/g)].map(match => match[1]!);
}

function describeMissing(given: number, { path, missing }: CommandLine): string {
  const argument = argumentsOf(path)[given]?.toUpperCase() ?? '';
  return `missing argument ${[argument, ...missing].join(', ')}`.trimEnd();
}

function joinLines(text: string): string {
  return text
    .trim()
    .split(/\s*\n\s*/)
    .join(' ');
}

/** An unknown command comes before the options, which are unknown because of it. */
function explainUnknown(unknown: readonly string[], line: CommandLine): UsageError {
  const last = line.path.at(-1);
  const commands = (last === undefined ? line.commands : (last.subcommands ?? [])).map(commandName);
  const [first = ''] = unknown;
  const argument = unknown.find(word => !isOption(word, line));
  if (argument !== undefined && commands.length > 0) {
    return unknownWord('command', argument, prefixOf(line), commands, line);
  }
  return isOption(first, line)
    ? unknownWord('option', first, '--', knownOptions(unknown, line), line)
    : new UsageError(`unknown argument ${first}`, hintToHelp(line));
}

/** To the parser an option with a dash is known once it was typed, and has a twin in camel case. */
function knownOptions(unknown: readonly string[], { options }: CommandLine): string[] {
  return options.filter(name => !unknown.includes(name) && !/[A-Z]/.test(name));
}

/** True for the twin of an option as well; an argument after `--` keeps its dashes. */
function isOption(word: string, { args }: CommandLine): boolean {
  return args.some(arg => /^--?/.test(arg) && bareName(arg.replace(/^--?|=.*/gs, '')) === bareName(word));
}

/** The same for an option and its twin. */
function bareName(name: string): string {
  return name.replace(/(?!^)-/g, '').toLowerCase();
}

function unknownWord(
  kind: string,
  word: string,
  prefix: string,
  known: readonly string[],
  line: CommandLine,
): UsageError {
  // Two letters in the wrong order are two changes.
  const maxDistance = Math.max(1, Math.min(2, Math.floor(word.length / 2)), Math.floor(word.length / 3));
  const near = closestMatch(word, known, { maxDistance });
  const hint = near === undefined ? hintToHelp(line) : `Did you mean ${prefix}${near}?`;
  return new UsageError(`unknown ${kind} ${prefix}${word}`, hint);
}

/** The command's name with its parents', each followed by a space. */
function prefixOf({ path }: CommandLine): string {
  return path.map(row => `${commandName(row)} `).join('');
}

function hintToHelp(line: CommandLine): string {
  return `See zbc-signer ${prefixOf(line)}--help`;
}
