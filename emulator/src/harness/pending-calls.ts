import {
  INS_GET_PUBLIC_KEY,
  INS_REGISTER_CONTACT,
  INS_SIGN_MESSAGE,
  INS_SIGN_TX,
} from '@zbc-signer/protocol/commands';
import { EmulatorError, EmulatorStoppedError } from '../errors.js';
import { DECIDE_HINT, decisionHint, noCommand, noDecision } from '../review/decision-hint.js';
import { nameTest } from '../running-test.js';
import type { SessionFailure } from '../trace/trace-keeper.js';

/** The host library's calls whose commands wait for the user. */
const SIGNER_CALLS: Readonly<Record<number, string>> = {
  [INS_GET_PUBLIC_KEY]: 'signer.getPublicKey(…, { confirm: true })',
  [INS_SIGN_TX]: 'signer.signTransaction(…)',
  [INS_SIGN_MESSAGE]: 'signer.signMessage(…)',
  [INS_REGISTER_CONTACT]: 'signer.registerContact(…)',
};
/** Stack depth: the host library and the runner have a dozen frames each. */
const FRAMES = 50;
const HEAD_BYTES = 5;

interface Call {
  /** The call in words. */
  words: string;
  /** The calling test, if its runner reports it. */
  test: string | undefined;
  /** An error whose stack has the place of the call. */
  origin: Error;
  /** Whether a review has been on the screen during the call. */
  reviewed?: boolean;
  /** What to write instead, for a command that waits for the user. */
  hint?: string;
}

/** Calls that began on an emulator and have not ended: commands, and waits for commands. */
export class PendingCalls {
  /** The call that opened the last review. */
  #command: Call | undefined;
  #late: Call | undefined;
  readonly #waits = new Set<Call>();

  constructor(private readonly isReviewing: () => boolean) {}

  /** Notes that a command of this process, or of a client of a server, opened a review. */
  noteCommand(apdu: Uint8Array, from: 'process' | 'client'): void {
    const call = from === 'client' ? 'a command of a client' : callNameOf(apdu);
    const hint = from === 'client' ? DECIDE_HINT : decisionHint(call);
    this.#command = { ...callOf(describeCommand(apdu, call)), hint };
    for (const wait of this.#waits) wait.reviewed = true;
  }

  /** Handles a command that is sent while the emulator is being stopped: its call never settles. */
  leave(apdu: Uint8Array): Promise<never> {
    this.#late ??= callOf(describeCommand(apdu));
    return never();
  }

  /** Settles like `work`. If the emulator is stopped, it never settles, because possibly nobody awaits it. */
  async track<Result>(words: string, work: () => Promise<Result>): Promise<Result> {
    const call: Call = { ...callOf(words), reviewed: this.isReviewing() };
    this.#waits.add(call);
    try {
      const result = await work();
      this.#waits.delete(call);
      return result;
    } catch (error) {
      if (error instanceof EmulatorStoppedError) return never();
      this.#waits.delete(call);
      if (error instanceof EmulatorError) error.cause ??= call.origin;
      throw error;
    }
  }

  /**
   * Returns the error about a call that had not ended when the emulator was stopped, if there is one. `texts`
   * were on the screen, and `note` returns the text that names the trace.
   */
  fault(
    texts: readonly string[],
    isReviewing: boolean,
    note: (failure: SessionFailure) => string,
  ): EmulatorError | undefined {
    const reviewed = isReviewing ? this.#command : undefined;
    const waits = [...this.#waits];
    const unawaited = this.#late ?? waits.find(wait => wait.reviewed);
    const left = unawaited ?? reviewed ?? waits[0];
    if (left === undefined) return undefined;
    const { words, test, origin, hint = '' } = left;
    const parts = [
      words,
      test && ` of the test "${test}"`,
      ' had not ended when the emulator was stopped',
      left === unawaited && ': await it',
      left === reviewed && noDecision(texts, hint),
      left === waits[0] && !left.reviewed && noCommand(texts),
    ];
    const message = parts.filter(Boolean).join('');
    return new EmulatorError('STILL_PENDING', message + note({ message, test }), { cause: origin });
  }
}

const never = () => new Promise<never>(() => undefined);

function callOf(words: string): Call {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = FRAMES;
  const origin = new Error(`${words} was called here`);
  Error.stackTraceLimit = stackTraceLimit;
  return { words, test: nameTest(), origin };
}

const callNameOf = (apdu: Uint8Array) => SIGNER_CALLS[apdu[1] ?? 0] ?? 'emulator.exchange(…)';

function describeCommand(apdu: Uint8Array, call = callNameOf(apdu)): string {
  const head = Buffer.from(apdu.subarray(0, HEAD_BYTES)).toString('hex');
  return `${call} (APDU ${head}…)`;
}
