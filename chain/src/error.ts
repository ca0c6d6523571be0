import type { ErrorCode } from './generated/remedies.js';

export type { ErrorCode } from './generated/remedies.js';

/** Whether the chain may have a signed transaction. */
export type Sent = 'no' | 'maybe' | 'yes';

/** Details of an error for programs: plain values under stable names. Hashes and keys are lower-case hex. */
export type ErrorFacts = Readonly<Record<string, string | number | boolean>> & { readonly sent?: Sent };

/** The optional parts of a ZbcSignerError. */
export interface ErrorDetails {
  /** Default: none. */
  facts?: ErrorFacts | undefined;
  /** A remedy for this case, as a sentence. Default: that of the code, which `remedyOf` gives. */
  hint?: string | undefined;
  /** The error that led to this one. */
  cause?: unknown;
}

/** The root of what these packages throw on purpose; anything else is a bug. */
export class ZbcSignerError extends Error {
  override readonly name: string = 'ZbcSignerError';
  facts: ErrorFacts;
  /** A remedy for this very case, as a sentence; `remedyOf` (@zbc-signer/chain/remedies) has one for all. */
  readonly hint: string | undefined;
  constructor(
    readonly code: ErrorCode,
    message: string,
    { facts = {}, hint, cause }: ErrorDetails = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.facts = facts;
    this.hint = hint;
  }
}

/** The AbortSignal fired before the approval; `cause` is its reason, or the error that was waited out. */
export class AbortedError extends ZbcSignerError {
  override readonly name = 'AbortedError';
  constructor(reason: unknown) {
    const why = reason instanceof ZbcSignerError ? `: ${reason.message}` : '';
    super('ABORTED', `cancelled${why}`, { cause: reason });
  }
}

/** Throws `INVALID_INPUT`, which names the argument, for what is no text: a program may have no types. */
export function checkText(name: string, text: unknown): void {
  if (typeof text !== 'string') throw invalidInputError(`${name} must be a string`);
}

/** INVALID_INPUT: an argument that no field or command can hold. Nothing was sent. */
export function invalidInputError(message: string): ZbcSignerError {
  return new ZbcSignerError('INVALID_INPUT', message);
}
