import { cleanText, formatJson } from '@zbc-signer/chain';
import { exitCode } from '../exit-codes.js';
import { exitOf } from './error-exits.js';

const MAX_MESSAGE = 1000;

/** A printed error; the JSON object has these fields in this order. */
interface Failure {
  exit: number;
  code: string;
  message: string;
  hint?: string;
  facts: Record<string, unknown>;
}

/** chain/'s errors about invalid input. Codes of different classes overlap, so their names are the prefix. */
const INPUT_ERRORS = ['AddressError', 'AccountError', 'AmountError', 'MnemonicError', 'TransactionError'];

/** The message and exit code for anything thrown, without a stack trace. */
export function describeFailure(error: unknown): Failure {
  if (!(error instanceof Error)) return unexpected(String(error));
  if (INPUT_ERRORS.includes(error.name)) return describeInputError(error);
  const code = textOf(error, 'code');
  const exit = exitOf(code);
  if (code === undefined || exit === 'unexpected') return unexpected(error.message);
  const hint = textOf(error, 'hint');
  return {
    exit: exitCode(exit),
    code,
    message: cleanText(error.message, MAX_MESSAGE),
    ...(hint !== undefined && { hint }),
    facts: snakeCase(Reflect.get(error, 'facts')),
  };
}

/** Ctrl-C, with any error that it caused. */
export function describeInterruption(hint: string | undefined): Failure {
  const exit = exitCode('interrupted');
  return {
    exit,
    code: 'INTERRUPTED',
    message: 'interrupted',
    ...(hint !== undefined && { hint }),
    facts: {},
  };
}

function describeInputError(error: Error): Failure {
  // AddressError with code checksum is ADDRESS_CHECKSUM.
  const kind = error.name.replace(/Error$/, '').toUpperCase();
  const detail = textOf(error, 'reason') ?? textOf(error, 'code');
  const place =
    error.name === 'TransactionError' ? snakeCase(error, ['reason', 'field', 'offset', 'status']) : {};
  return {
    exit: exitCode('usage'),
    code: detail === undefined ? kind : `${kind}_${detail.replaceAll('-', '_').toUpperCase()}`,
    message: error.message,
    facts: place,
  };
}

function unexpected(message: string): Failure {
  return {
    exit: exitCode('unexpected'),
    code: 'UNEXPECTED',
    message: `unexpected error: ${cleanText(message, MAX_MESSAGE)}`,
    hint: 'This is a bug. Set ZBC_SIGNER_TRACE=1 to print the stack.',
    facts: {},
  };
}

function textOf(error: Error, property: string): string | undefined {
  const value: unknown = Reflect.get(error, property);
  return typeof value === 'string' ? value : undefined;
}

function snakeCase(facts: unknown, names = Object.keys(Object(facts))): Record<string, unknown> {
  return Object.fromEntries(
    names.map(name => [
      name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`),
      Reflect.get(Object(facts), name),
    ]),
  );
}

/** `{"error": {code, message, …}}` on one line. */
export function failureJson({ exit, code, message, hint, facts }: Failure): string {
  return formatJson({
    error: { code, message, ...(hint !== undefined && { hint }), exit_code: exit, ...facts },
  });
}
