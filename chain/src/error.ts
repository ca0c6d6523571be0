import type { REMEDIES } from './generated/remedies.js';

/** Every error code of this package; docs/ERRORS.md has those of all packages. Stable between releases. */
export type ChainErrorCode = keyof typeof REMEDIES;

/** Time after `safeAfter` for the last possible block to reach every gateway, in seconds. */
export const LAST_BLOCK_DELAY_SECONDS = 120n;

/** Whether the chain may have a signed transaction. */
export type BroadcastState = 'no' | 'maybe' | 'yes';

/** Details of an error for programs: plain values under stable names. Hashes and keys are lower-case hex. */
export type ErrorFacts = Readonly<Record<string, string | number | boolean>> & {
  readonly sent?: BroadcastState;
};

/** The optional parts of a ZbcSignerError. */
export interface ErrorDetails {
  /** Details of the error for programs. Default: none. */
  facts?: ErrorFacts | undefined;
  /** A remedy for this case, as a sentence. Default: the remedy of the code, which `remedyOf` returns. */
  hint?: string | undefined;
  /** The error that led to this one. */
  cause?: unknown;
}

/** The base class of all errors that these packages throw on purpose; any other error is a bug. */
export class ZbcSignerError extends Error {
  override readonly name: string = 'ZbcSignerError';
  facts: ErrorFacts;
  /**
   * A remedy for this case, as a sentence; `remedyOf` (@zbc-signer/host/remedies) has one for every error.
   */
  readonly hint: string | undefined;
  constructor(
    /** A code of docs/ERRORS.md. */
    readonly code: string,
    message: string,
    { facts = {}, hint, cause }: ErrorDetails = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.facts = facts;
    this.hint = hint;
  }
}

/**
 * The AbortSignal fired before the approval. `cause` is the reason of the signal, or the last error before
 * the signal fired.
 */
export class AbortedError extends ZbcSignerError {
  override readonly name = 'AbortedError';
  constructor(reason: unknown) {
    const why = reason instanceof ZbcSignerError ? `: ${reason.message}` : '';
    super('ABORTED', `cancelled${why}`, { cause: reason });
  }
}

/**
 * Throws `INVALID_INPUT` with the argument's name unless `text` is a string, because callers may be untyped.
 */
export function requireString(name: string, text: unknown): void {
  if (typeof text !== 'string') throw invalidInputError(`${name} must be a string`);
}

/** Returns an INVALID_INPUT error, for an argument that no field or command accepts. */
export function invalidInputError(message: string): ZbcSignerError {
  return new ZbcSignerError('INVALID_INPUT', message);
}
