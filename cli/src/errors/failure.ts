import { cleanText, type ErrorFacts } from '@zbc-signer/chain';
import { formatJsonLine } from '../output/json.js';
import { OptionError } from './errors.js';
import { type ExitName, exitCode, isExitName } from './exit-codes.js';
import { EXITS } from './exits.js';
import { hintOf } from './hints.js';

const MAX_MESSAGE = 1000;

/** A printed error; the JSON object has these fields in this order. */
interface Failure {
  exit: number;
  code: string;
  message: string;
  hint?: string;
  facts: Record<string, unknown>;
}

/** The message and exit code for any thrown value, without a stack trace. */
export function describeFailure(error: unknown): Failure {
  if (!(error instanceof Error)) return unexpected(String(error));
  if (error instanceof OptionError) return describeOptionError(error);
  const code = textOf(error, 'code');
  const exit = exitOf(error, code);
  if (code === undefined || exit === 'unexpected') return unexpected(error.message);
  const facts: unknown = Reflect.get(error, 'facts');
  const hint = hintOf(code, error);
  return {
    exit: exitCode(exit),
    code,
    message: cleanText(error.message, MAX_MESSAGE),
    ...(hint !== undefined && { hint }),
    facts: snakeCase(facts),
  };
}

/** The name of the exit code for the error's class or for its `code`; otherwise `unexpected`. */
function exitOf(error: Error, code = ''): ExitName {
  const own: unknown = Reflect.get(error, 'exit');
  if (isExitName(own)) return own;
  return Object.hasOwn(EXITS, code) ? EXITS[code as keyof typeof EXITS] : 'unexpected';
}

function describeOptionError({ option, cause }: OptionError): Failure {
  const failure = describeFailure(cause);
  const message = cleanText(`${option}: ${failure.message}`, MAX_MESSAGE);
  return { ...failure, message, facts: { option, ...failure.facts } };
}

/**
 * The failure of a command after Ctrl-C. An error about a signed transaction is reported unchanged, even if
 * Ctrl-C did not cause it, and so is a sign of tampering.
 */
export function describeInterrupted(error: unknown, hint: string | undefined): Failure {
  const { sent } = Object(Reflect.get(Object(error), 'facts')) as ErrorFacts;
  const failure = describeFailure(error);
  return sent === undefined && failure.exit !== exitCode('integrity') ? interrupted(hint) : failure;
}

function interrupted(hint: string | undefined): Failure {
  const exit = exitCode('interrupted');
  return {
    exit,
    code: 'INTERRUPTED',
    message: 'interrupted',
    ...(hint !== undefined && { hint }),
    facts: {},
  };
}

function unexpected(message: string): Failure {
  return {
    exit: exitCode('unexpected'),
    code: 'UNEXPECTED',
    message: `unexpected error: ${cleanText(message, MAX_MESSAGE)}`,
    hint: 'This is a bug. Set ZBC_SIGNER_STACK=1 to print the stack.',
    facts: {},
  };
}

function textOf(error: Error, property: string): string | undefined {
  const value: unknown = Reflect.get(error, property);
  return typeof value === 'string' ? value : undefined;
}

/** Converts facts to the JSON of this program, in which only `safe_after` is an integer (docs/CLI.md#output). */
function snakeCase(facts: unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(Object(facts)).map(([name, value]) => [
      name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`),
      name === 'safeAfter' ? BigInt(String(value)) : value,
    ]),
  );
}

/** The fields of an error in this program's JSON: `{code, message, …}`. */
export function failureFields({ exit, code, message, hint, facts }: Failure): Record<string, unknown> {
  return { code, message, ...(hint !== undefined && { hint }), exit_code: exit, ...facts };
}

/** `{"error": {code, message, …}}` on one line. */
export function failureJson(failure: Failure): string {
  return formatJsonLine({ error: failureFields(failure) });
}
