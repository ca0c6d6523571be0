import type { EventEmitter } from 'node:events';
import { formatStatusWord, type ReviewItem, statusWordOf } from '@zbc-signer/chain';
import { OK } from '@zbc-signer/protocol/status-words';
import type { Button } from '../device/buttons.js';
import type { EmulatorEvents, EmulatorInput } from '../device/events.js';
import { type Screen, textsOf } from '../device/platform.js';
import { EmulatorError, EmulatorStoppedError, type FirmwareCrashError, NoReviewError } from '../errors.js';
import { testLimitMs } from '../running-test.js';
import type { SessionFailure } from '../trace/trace-keeper.js';
import { noCommand } from './decision-hint.js';
import { nameTraceOnFailure } from './failure-trace.js';
import { isApprovePage, isRejectPage, joinPages } from './review-pages.js';
import { describeUnapproved, isUnapproved } from './unapproved-reply.js';

/** Longest default time limit. A test may start a program that takes seconds to send its command. */
const LONGEST_MS = 10_000;
/** The rest of the time suffices for the test to fail with the message about the missing review. */
const SHARE_OF_TEST = 0.8;

/**
 * The default time to wait for a review in milliseconds: 10 s, but at most 80 % of the running test's limit.
 */
const reviewTimeoutMs = (): number => Math.min(LONGEST_MS, SHARE_OF_TEST * (testLimitMs() ?? Infinity));

/** The part of an Emulator that reads a review. */
export interface ReviewedEmulator extends EventEmitter<EmulatorEvents> {
  readonly screen: Screen;
  readonly reviewing: boolean;
  readonly crashes: readonly FirmwareCrashError[];
  readonly isCatchingUp: boolean;
  /** How the user decided the last review, if there was one. */
  readonly lastDecision: 'approved' | 'rejected' | undefined;
  /** The texts on the screen, from the top. */
  texts(): string[];
  /** Presses and releases a button. */
  press(button: Button): void;
  /** Resolves once a review is on the screen; rejects like `Emulator.waitForReview`. */
  waitForReview(): Promise<void>;
  /** Resolves once a real device has caught up, like `Emulator.confirmed`. */
  confirmed(): Promise<void>;
  /** Keeps the trace of this session, and returns its path. Returns undefined if there is no trace. */
  keepTrace(failure?: SessionFailure): string | undefined;
}

/** Resolves once a review is on the screen; rejects like `Emulator.waitForReview`. */
export function awaitReview(emulator: ReviewedEmulator, timeoutMs = reviewTimeoutMs()): Promise<void> {
  if (emulator.reviewing) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const end = (error?: Error) => {
      clearTimeout(timer);
      emulator.off('input', onInput).off('command', onCommand).off('stop', onStop);
      if (error) reject(error);
      else resolve();
    };
    const crashes = emulator.crashes.length;
    let answered = 0;
    let apdu: Uint8Array = new Uint8Array();
    const onInput = (input: EmulatorInput) => {
      if ('apdu' in input) apdu = input.apdu;
    };
    const onCommand = (reply: Uint8Array | undefined) => {
      if (emulator.crashes.length > crashes) end(emulator.crashes.at(-1));
      else if (!reply) end();
      else if (isUnapproved(apdu, reply)) end(signedEarly(reply));
      else if (statusWordOf(reply) === OK) answered++;
      else
        end(
          new NoReviewError(
            `the device answered ${formatStatusWord(statusWordOf(reply))} instead of opening a review`,
          ),
        );
    };
    const onStop = () => end(new EmulatorStoppedError());
    const expire = () => {
      // The time starts again as long as a person must press buttons before the command can be sent.
      if (emulator.isCatchingUp) timer = setTimeout(expire, timeoutMs);
      else end(new NoReviewError(describeWait(emulator, timeoutMs, answered)));
    };
    let timer = setTimeout(expire, timeoutMs);
    emulator.on('input', onInput).on('command', onCommand).on('stop', onStop);
  });
}

function describeWait(emulator: ReviewedEmulator, timeoutMs: number, answered: number): string {
  const answers = answered === 1 ? '1 command was' : `${answered} commands were`;
  const { lastDecision } = emulator;
  const since = lastDecision && ` after the last review, which was ${lastDecision}`;
  const came = answered === 0 ? `no command arrived${since ?? ''}` : `${answers} answered without a review`;
  return `no review within ${timeoutMs} ms: ${came}${noCommand(emulator.texts())}`;
}

/** Waits for a review, reads it like `Emulator.review`, and stays on its approve page. */
export function readReview(emulator: ReviewedEmulator): Promise<ReviewItem[]> {
  return inReview(emulator, () => joinPages(walkToApprovePage(emulator).map(textsOf)));
}

/** Waits for a review, walks to its approve page and approves. */
export function approveReview(emulator: ReviewedEmulator): Promise<void> {
  return inReview(emulator, () => {
    walkToApprovePage(emulator);
    emulator.press('both');
  });
}

/** Waits for a review, walks to its reject page and rejects. */
export function rejectReview(emulator: ReviewedEmulator): Promise<void> {
  return inReview(emulator, () => {
    walkToRejectPage(emulator);
    emulator.press('both');
  });
}

/** Waits for a review, acts, and waits for a real device. If this fails, adds the path of the trace. */
function inReview<Result>(emulator: ReviewedEmulator, act: () => Result): Promise<Result> {
  const acted = emulator.waitForReview().then(async () => {
    const result = act();
    await emulator.confirmed();
    return result;
  });
  return nameTraceOnFailure(emulator, acted);
}

/** Presses left to the first page of the review. */
export function walkToFirstPage(emulator: ReviewedEmulator): void {
  for (let before = ''; before !== pageText(emulator); ) {
    before = pageText(emulator);
    pressUndecided(emulator, 'left');
  }
}

/** Moves to the approve page, from either side. Returns the screens of the pages before it that it passed. */
export function walkToApprovePage(emulator: ReviewedEmulator): Screen[] {
  const pages: Screen[] = [];
  if (isRejectPage(emulator.texts())) turnPage(emulator, 'left');
  while (!isApprovePage(emulator.texts())) {
    pages.push(emulator.screen);
    turnPage(emulator, 'right');
  }
  return pages;
}

export function walkToRejectPage(emulator: ReviewedEmulator): void {
  while (!isRejectPage(emulator.texts())) turnPage(emulator, 'right');
}

function turnPage(emulator: ReviewedEmulator, button: 'left' | 'right'): void {
  const before = pageText(emulator);
  pressUndecided(emulator, button);
  if (pageText(emulator) === before) throw new NoReviewError('the review has no approve page');
}

/** Presses one button, which must not decide the review. */
function pressUndecided(emulator: ReviewedEmulator, button: 'left' | 'right'): void {
  let decision: Uint8Array | undefined;
  const note = (reply: Uint8Array) => {
    decision = reply;
  };
  emulator.once('decision', note);
  emulator.press(button);
  emulator.off('decision', note);
  if (decision) throw signedEarly(decision);
}

const signedEarly = (reply: Uint8Array) =>
  new EmulatorError('SIGNED_EARLY', describeUnapproved('the device', reply));

const pageText = (emulator: ReviewedEmulator): string => emulator.texts().join('\n');
