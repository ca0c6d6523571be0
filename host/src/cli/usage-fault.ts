import { suggest } from '../../../gateway/src/suggestion.js';
import { UsageError } from './errors.js';

/** What was typed, and what could have been: names without dashes. */
export interface CommandLine {
  words: readonly string[];
  commands: readonly string[];
  options: readonly string[];
}

/** The parser's complaint in one line that names what was typed, with what was probably meant. */
export function explainFault(complaint: string, line: CommandLine): UsageError {
  const unknown = /^Unknown (?:argument|command)s?: ([^\n]+)/.exec(complaint)?.[1]?.split(', ')[0];
  if (unknown !== undefined) {
    return explainUnknown(unknown, line);
  }
  const missing = /^Not enough arguments following: (.+)$/.exec(complaint)?.[1];
  if (missing !== undefined) {
    return new UsageError(`--${missing} needs a value`);
  }
  const message = /^Not enough non-option arguments/.test(complaint)
    ? 'something is missing behind the command'
    : complaint
        .trim()
        .split(/\s*\n\s*/)
        .join(' ');
  return new UsageError(message, hintToHelp(line));
}

function explainUnknown(unknown: string, line: CommandLine): UsageError {
  const isOption = line.words.some(
    word => /^--?/.test(word) && word.replace(/^--?/, '').split('=')[0] === unknown,
  );
  const near = suggest(unknown, isOption ? line.options : line.commands);
  const dashes = isOption ? '--' : '';
  const isCommand = !isOption && line.words[0] === unknown;
  const kind = isOption ? 'option' : isCommand ? 'command' : 'argument';
  const meant = near !== undefined && (isOption || isCommand) ? `Did you mean ${dashes}${near}?` : undefined;
  return new UsageError(`unknown ${kind} ${dashes}${unknown}`, meant ?? hintToHelp(line));
}

function hintToHelp({ words, commands }: CommandLine): string {
  const command = commands.includes(words[0] ?? '') ? ` ${words[0]}` : '';
  return `See zbc-signer${command} --help`;
}
