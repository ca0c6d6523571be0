import { setTimeout as pause } from 'node:timers/promises';
import { describeUnapproved } from '../review/unapproved-reply.js';
import { type DeviceControls, followSteps, type ScreenStep, type WrongScreen } from './signer-under-test.js';

/** Time in which a reply arrives that the signer sent before it drew the current screen. */
const REPLY_MS = 250;

/** A command on the signer that waits for the user. */
export class OpenReview {
  /** Whether the press that decides may have begun on the signer. */
  isDeciding = false;
  #early: Uint8Array | undefined;

  constructor(
    /** The signer in messages, such as `the device`. */
    private readonly subject: string,
    readonly reply: Promise<Uint8Array>,
  ) {
    reply.then(
      bytes => {
        if (!this.isDeciding) this.#early = bytes;
      },
      () => undefined,
    );
  }

  /**
   * Performs steps on the signer. Resolves with the first wrong screen, if any. Throws the error that `fault` makes if
   * the signer answered before the step that decides, because that matters more than its screens.
   */
  async follow(
    controls: DeviceControls,
    steps: readonly ScreenStep[],
    fault: (message: string, wrong?: WrongScreen) => Error,
  ): Promise<WrongScreen | undefined> {
    const decision = steps.findIndex(({ decides }) => decides);
    const before = decision < 0 ? steps : steps.slice(0, decision);
    const wrong = before.length > 0 ? await followSteps(controls, before) : undefined;
    if (wrong && !this.isDeciding) await this.awaitReply(REPLY_MS);
    if (this.#early) throw fault(describeUnapproved(this.subject, this.#early), wrong);
    if (wrong || decision < 0) return wrong;
    this.isDeciding = true;
    return followSteps(controls, steps.slice(decision));
  }

  /** Resolves when the reply has arrived or the time is over. */
  async awaitReply(limitMs: number): Promise<void> {
    const timer = new AbortController();
    const limit = pause(limitMs, undefined, { signal: timer.signal });
    await Promise.race([this.reply, limit]).catch(() => undefined);
    timer.abort();
    limit.catch(() => undefined);
  }
}
