import { fileURLToPath } from 'node:url';
import { INS_GET_PUBLIC_KEY, INS_SIGN_MESSAGE, INS_SIGN_TX } from '@zbc-signer/protocol/commands';
import { EmulatorError, EmulatorStoppedError, StillPendingError } from '../errors.js';
import { noCommand, noDecision } from '../review/decision-hint.js';
import { nameTest } from '../running-test.js';
import type { SessionFailure } from '../trace/trace-keeper.js';

/** The host library's calls whose commands wait for the user. */
const SIGNER_CALLS: Readonly<Record<number, string>> = {
  [INS_GET_PUBLIC_KEY]: 'signer.getPublicKey(…, { confirm: true })',
  [INS_SIGN_TX]: 'signer.signTransaction(…)',
  [INS_SIGN_MESSAGE]: 'signer.signMessage(…)',
};
/** Parts of the paths of libraries and of Node itself, which are never the caller. */
const OTHERS = ['node_modules/', 'node:'];
/** Matches the stack frame of this file. Captures the directory of all packages, and that of this package. */
const OWN_FRAME = /([^ (]*\/)([^/]+\/)[^/]+\/[^/]+\/[^/]+$/;
/** Captures the place of a stack frame, whose path may contain spaces and parentheses. */
const PLACE = /^\s*at (?:.*? \((.+:\d+:\d+)\)|(?:async )?(.+:\d+:\d+))$/;
/** Stack depth: the host library and the runner have a dozen frames each. */
const FRAMES = 50;
const HEAD_BYTES = 5;

interface Call {
  /** The call in words. */
  words: string;
  /** The calling test, if its runner reports it. */
  test: string | undefined;
  /** The place of the call. V8 generates the text of the stack on first use. */
  origin: { stack: string };
}

/** Calls that began on an emulator and have not ended: commands, and waits for commands. */
export class PendingCalls {
  /** The call that opened the last review. */
  #command: Call | undefined;
  #late: Call | undefined;
  readonly #waits = new Set<Call>();

  /** Notes that a command opened a review. */
  noteCommand(apdu: Uint8Array): void {
    this.#command = callOf(describeCommand(apdu));
  }

  /** Handles a command that is sent while the emulator is being stopped: its call never settles. */
  leave(apdu: Uint8Array): Promise<never> {
    this.#late ??= callOf(describeCommand(apdu));
    return never();
  }

  /** Settles like `work`. If the emulator is stopped, it never settles, because possibly nobody awaits it. */
  async track<Result>(words: string, work: () => Promise<Result>): Promise<Result> {
    const call = callOf(words);
    this.#waits.add(call);
    try {
      const result = await work();
      this.#waits.delete(call);
      return result;
    } catch (error) {
      if (error instanceof EmulatorStoppedError) return never();
      this.#waits.delete(call);
      if (error instanceof EmulatorError) beginStack(error, callerLine(call.origin));
      throw error;
    }
  }

  /** The line of the test that made the oldest unfinished call or, without one, the current call. */
  caller(): string | undefined {
    const [{ origin } = { origin: originOf() }] = this.#waits;
    return callerLine(origin);
  }

  /**
   * Returns the error about a call that had not ended when the emulator was stopped, if there is one. `texts`
   * were on the screen, and `note` returns the text that names the trace.
   */
  fault(
    texts: readonly string[],
    isReviewing: boolean,
    note: (failure: SessionFailure) => string,
  ): StillPendingError | undefined {
    const reviewed = isReviewing ? this.#command : undefined;
    const left = this.#late ?? reviewed ?? [...this.#waits][0];
    if (left === undefined) return undefined;
    const { words, test } = left;
    const at = callerLine(left.origin);
    const parts = [
      words,
      test && ` of the test "${test}"`,
      at && ` at ${at}`,
      ' had not ended when the emulator was stopped',
      left === this.#late && ': await it',
      left === reviewed && noDecision(texts, words.replace(/ \(APDU .*/, '')),
      this.#waits.has(left) && noCommand(texts),
    ];
    const message = parts.filter(Boolean).join('');
    const error = new StillPendingError(message + note({ message, test, at }));
    // The stack has only the caller's line, if it is known, and not the code that stops the emulator.
    error.stack = `${error.name}: ${error.message}${at === undefined ? '' : `\n    at ${at}`}`;
    return error;
  }
}

const never = () => new Promise<never>(() => undefined);

const callOf = (words: string): Call => ({ words, test: nameTest(), origin: originOf() });

function describeCommand(apdu: Uint8Array): string {
  const head = Buffer.from(apdu.subarray(0, HEAD_BYTES)).toString('hex');
  return `${SIGNER_CALLS[apdu[1] ?? 0] ?? 'emulator.exchange(…)'} (APDU ${head}…)`;
}

/**
 * Puts the caller's line first, because runners show its source. After a timer, the stack lacks that line.
 */
function beginStack(error: EmulatorError, at: string | undefined): void {
  const head = `${error.name}: ${error.message}`;
  const begun = `${head}\n    at ${at}`;
  const { stack = '' } = error;
  if (at === undefined || !stack.startsWith(head) || stack.startsWith(begun)) return;
  error.stack = begun + stack.slice(head.length);
}

function originOf(): { stack: string } {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = FRAMES;
  const origin = { stack: '' };
  Error.captureStackTrace(origin);
  Error.stackTraceLimit = stackTraceLimit;
  return origin;
}

/**
 * The first stack line outside the packages and libraries: the test, or a function whose result it awaits.
 */
function callerLine({ stack }: { stack: string }): string | undefined {
  const [own = '', ...frames] = stack.split('\n').filter(line => PLACE.test(line));
  const [, packages = '', emulator = ''] = OWN_FRAME.exec(own) ?? [];
  const skipped = [...OTHERS, `${packages}${emulator}`, `${packages}host/`];
  const frame = frames.find(line => !skipped.some(name => line.includes(name)));
  const [, called, loaded] = PLACE.exec(frame ?? '') ?? [];
  const place = called ?? loaded;
  return place?.startsWith('file:') ? fileURLToPath(place) : place;
}
