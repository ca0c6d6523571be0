import { INS_GET_PUBLIC_KEY, INS_SIGN_MESSAGE, INS_SIGN_TX } from '@zbc-signer/protocol/commands';
import { nameTest } from '../coverage/running-test.js';
import { EmulatorError, EmulatorStoppedError, StillPendingError } from '../errors.js';
import type { SessionFailure } from '../recording/trace-keeper.js';
import { noCommand, noDecision } from '../review/decision-hint.js';

/** The calls of the host library whose commands wait for the user. */
const SIGNER_CALLS: Readonly<Record<number, string>> = {
  [INS_GET_PUBLIC_KEY]: 'signer.getPublicKey(…, { confirm: true })',
  [INS_SIGN_TX]: 'signer.signTransaction(…)',
  [INS_SIGN_MESSAGE]: 'signer.signMessage(…)',
};
/** Libraries and Node itself are not the caller. */
const OTHERS = ['node_modules/', 'node:'];
/** Where a frame of this file is: the directory of the packages, then that of this one. */
const OWN_FRAME = /([^ (]*\/)([^/]+\/)[^/]+\/[^/]+\/[^/]+$/;
const FRAME_END = /\(?([^( ]+:\d+:\d+)\)?$/;
/** The host library and the runner have a dozen each. */
const FRAMES = 50;
const HEAD_BYTES = 5;

interface Call {
  /** What was called. */
  words: string;
  /** The test that did, as far as its runner tells. */
  test: string | undefined;
  /** Where it was called from, of which the text is made when it is asked for. */
  origin: { stack: string };
}

/** What is begun on an emulator and has not ended: commands, and what waits for commands. */
export class PendingCalls {
  /** That of the last review. */
  #command: Call | undefined;
  #late: Call | undefined;
  readonly #waits = new Set<Call>();

  /** A command opened a review. */
  noteCommand(apdu: Uint8Array): void {
    this.#command = callOf(describeCommand(apdu));
  }

  /** A command came while the emulator stops; the call that sent it never ends. */
  leave(apdu: Uint8Array): Promise<never> {
    this.#late ??= callOf(describeCommand(apdu));
    return never();
  }

  /** Settles as the work does; but never by a stop of the emulator, when nobody may await it any more. */
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

  /** The line of a test that called what is not ended, or what runs now. */
  caller(): string | undefined {
    const [{ origin } = { origin: originOf() }] = this.#waits;
    return callerLine(origin);
  }

  /** What a stop leaves without an end; `texts` were on the screen, and `note` names the trace. */
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
    // The caller's line, where it is known, and none of what stops the emulator.
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

/** With the line of the caller: behind a timer there is none, and runners show the source of the first. */
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
 * The first line on the stack that is not of the packages or a library: of a test, or of what it calls, where the
 * caller awaits it.
 */
function callerLine({ stack }: { stack: string }): string | undefined {
  const [own = '', ...frames] = stack.split('\n').filter(line => FRAME_END.test(line));
  const [, packages = '', emulator = ''] = OWN_FRAME.exec(own) ?? [];
  const skipped = [...OTHERS, `${packages}${emulator}`, `${packages}host/`];
  const frame = frames.find(line => !skipped.some(name => line.includes(name)));
  return frame && FRAME_END.exec(frame)?.[1]?.replace('file://', '');
}
