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

/** The base class of all errors that these packages throw on purpose; any other error is a bug. */
export class ZbcSignerError extends Error {
  override readonly name: string = 'ZbcSignerError';
  facts: ErrorFacts;
  /**
   * A remedy for this case, as a sentence; `remedyOf` (@zbc-signer/chain/remedies) has one for every error.
   */
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

/** The AbortSignal fired before the approval; `cause` is its reason, or the last error before it. */
export class AbortedError extends ZbcSignerError {
  override readonly name = 'AbortedError';
  constructor(reason: unknown) {
    const why = reason instanceof ZbcSignerError ? `: ${reason.message}` : '';
    super('ABORTED', `cancelled${why}`, { cause: reason });
  }
}

/** Throws `INVALID_INPUT`, naming the argument, if it is not a string: callers may be untyped. */
export function checkText(name: string, text: unknown): void {
  if (typeof text !== 'string') throw invalidInputError(`${name} must be a string`);
}

/** INVALID_INPUT: an argument that does not fit any field or command. Nothing was sent. */
export function invalidInputError(message: string): ZbcSignerError {
  return new ZbcSignerError('INVALID_INPUT', message);
}
