// Faults on a simulated Pico during events that must not sign, and their possible outcomes. The events in
// this file are presses on the pages of a review.
import type { Key } from '../../testkit/boards/driver.js';
import { symbol } from '../../testkit/boards/image.js';
import { PicoDriver } from '../../testkit/boards/pico-driver.js';
import { emptyStorage } from '../../testkit/boards/storage.js';
import { framed } from '../../testkit/device/reports.js';
import { holdsSecret, REVIEWS, SESSIONS, type Session } from '../single-faults/session.js';
import { type CallSetup, hashOf, type Outcome, TracedCall } from './trial.js';

export const CHANNEL = 0x1000;
export const REPLY_MS = 60;
const ENDPOINTS = 3;
/**
 * A report in hexadecimal: channel, tag, number, the length of the reply (only in the first report), data.
 */
const REPORT = /^.{4}05(?:0000.{4}|(?!0000).{4})(.+)$/;
const REFUSAL = /^(?!9000).{4}0*$/;
/**
 * Status words of a rejection by the user and of an error of the device. Neither reply contains a signature
 * (docs/APDU.md#status-words).
 */
const REFUSED = '6985';
export const INTERNAL = '6f00';

/**
 * The outcome of a trial.
 *
 * - `garbled`: wrong data was sent.
 * - `misdrawn`: during the review, the display shows pixels that belong to no page of the review.
 * - `menu misdrawn`: after a refusal, the display shows pixels that belong to no page of the menu. The next
 *   review redraws all pixels, and so does the reset after a trap, a fault or a hang.
 * - `opens`: a seed is open that the user has not opened.
 * - `confirmed`: a wrong word was accepted.
 * - `stays`: bytes of a forgotten seed remain.
 * - `dark`: a frame counts as shown although the display did not accept it.
 * - `cut`: a frame counts as shown although only a part of it was sent.
 * - `blurred`: a frame counts as shown although one of its words was lost or wrong.
 * - `other reply`: a wrong reply to a harmless command, with bytes of the reply buffer only, or data that the
 *   host itself sent.
 * - `other seed`: a key was derived from bytes that are not a seed.
 */
export type Verdict =
  | Outcome['end']
  | 'refuses'
  | 'garbled'
  | 'secret'
  | 'misdrawn'
  | 'menu misdrawn'
  | 'opens'
  | 'confirmed'
  | 'stays'
  | 'dark'
  | 'cut'
  | 'blurred'
  | 'other reply'
  | 'other seed';
export const HARM: ReadonlySet<Verdict> = new Set([
  'signs',
  'secret',
  'garbled',
  'misdrawn',
  'opens',
  'confirmed',
  'stays',
  'dark',
  'cut',
]);

export interface FaultScenario {
  name: string;
  traced: TracedCall;
  /** The steps of the trace at which faults are injected. */
  steps: readonly number[];
  judge(outcome: Outcome): Verdict;
}

/** Returns a call of the main loop until it is idle, after the host has read all data. */
export function mainLoop({ pico }: PicoDriver, shows = true): CallSetup {
  return {
    entry: 'exchange_step',
    shows,
    now: [],
    again: returned => {
      pico.write(symbol('sending'), new Uint8Array(ENDPOINTS));
      return (returned & 0xff) !== 0;
    },
  };
}

export const wordAt = ({ pico }: PicoDriver, address: number) =>
  Buffer.from(pico.memory(address, 4)).readUInt32LE();

/** Runs `act`, and stops the simulator where the main loop is about to handle the event that `act` causes. */
export async function stopAtEvent(
  driver: PicoDriver,
  holds: () => boolean,
  act: () => Promise<void>,
): Promise<void> {
  driver.pico.onCall('exchange_step', () => {
    if (holds()) throw new EventReached();
  });
  try {
    await act();
  } catch (error) {
    if (error instanceof EventReached) return;
    throw error;
  }
  throw new Error('the main loop does not reach the event');
}

class EventReached extends Error {}

export const atPress = (driver: PicoDriver, key: Key) =>
  stopAtEvent(
    driver,
    () => wordAt(driver, symbol('queued')) !== wordAt(driver, symbol('taken')),
    () => driver.press(key),
  );

export const atReport = (driver: PicoDriver, report: Uint8Array) =>
  stopAtEvent(
    driver,
    () => driver.pico.memory(symbol('has_received') + 1, 1)[0] === 1,
    async () => {
      await driver.write(0, report);
      await driver.settle();
    },
  );

export const reportsOf = (channel: number, reply: string) =>
  framed(channel, Buffer.from(reply, 'hex')).map(report => Buffer.from(report).toString('hex'));

export function judgeReports({ end, reports }: Outcome, allowed: ReadonlySet<string>): Verdict | undefined {
  if (end === 'signs') return end;
  if (holdsSecret(reports.join(''))) return 'secret';
  return reports.some(report => !allowed.has(report)) ? 'garbled' : undefined;
}

// The following code tests presses on the pages of a review.

/** A press on a page of a session; pages are counted from 0. */
interface Press {
  session: Session;
  page: number;
  key: Key;
}

/** Possible outcomes of a review without an approval. */
interface Allowed {
  /** The pages of the review, and of the menu, which is shown when the review has ended. */
  frames: ReadonlySet<string>;
  reports: ReadonlySet<string>;
  /** All bytes that the host sent. */
  sent: Buffer;
  /** Number of pages; the last but one approves, the last rejects. */
  pages: number;
}

/** Opens a review. Afterwards, the host has read all replies to its commands. */
export async function openReview(session: Session): Promise<{ driver: PicoDriver; channel: number }> {
  const driver = await PicoDriver.open({ storage: emptyStorage(), passphrase: '' });
  return { driver, channel: await sendAll(driver, session.apdus) };
}

/** Sends commands on one channel, reads all replies, and returns the channel. */
export async function sendAll(driver: PicoDriver, commands: readonly Uint8Array[]): Promise<number> {
  const channel = CHANNEL + 1;
  for (const command of commands) {
    for (const report of framed(channel, command)) await driver.write(0, report);
    while (await driver.read(0, REPLY_MS));
  }
  await driver.settle();
  return channel;
}

/** Pages through the review, rejects it, and pages through the menu; records all frames and packets. */
async function rehearse(session: Session): Promise<Allowed> {
  const { driver, channel } = await openReview(session);
  const review = await pageThrough(driver);
  await driver.press('both');
  await driver.settle();
  const menu = await pageThrough(driver);
  return {
    frames: new Set([...review, ...menu]),
    sent: Buffer.concat(session.apdus),
    reports: new Set([REFUSED, INTERNAL].flatMap(status => reportsOf(channel, status))),
    pages: review.length,
  };
}

/** Presses right until the screen stays the same, and returns the hash of each screen. */
export async function pageThrough(driver: PicoDriver): Promise<string[]> {
  const frames: string[] = [];
  for (;;) {
    const frame = hashOf((await driver.frame())!);
    if (frame === frames.at(-1)) return frames;
    frames.push(frame);
    await driver.press('right');
    await driver.settle();
  }
}

export async function toPage(driver: PicoDriver, page: number): Promise<void> {
  for (let at = 0; at < page; at++) {
    await driver.press('right');
    await driver.settle();
  }
}

function judgePress(outcome: Outcome, { frames, reports, sent }: Allowed): Verdict {
  const harm = judgeReports(outcome, reports) ?? (outcome.reports.length > 1 ? 'garbled' : undefined);
  if (harm === 'garbled' && outcome.reports.every(report => isFamiliar(report, sent))) return 'other reply';
  if (harm || outcome.end !== 'idle') return harm ?? outcome.end;
  const isWrong = outcome.frames.length > 0 && !frames.has(outcome.frames.at(-1)!);
  if (outcome.reports.length > 0) return isWrong ? 'menu misdrawn' : 'refuses';
  return isWrong ? 'misdrawn' : 'idle';
}

/** Returns whether a report contains a refusal, or only bytes that the host itself sent, and zeros. */
function isFamiliar(report: string, sent: Buffer): boolean {
  const [, data] = REPORT.exec(report) ?? [];
  if (data === undefined) return false;
  return REFUSAL.test(data) || sent.includes(Buffer.from(data.replace(/(00)+$/, ''), 'hex'));
}

/**
 * Lists presses, from the last page backwards, because a missing check does harm on the last pages soonest.
 */
function pressesOf(session: Session, { pages }: Allowed, all: boolean): Press[] {
  const approving = pages - 2;
  const keysOn = (page: number): Key[] => {
    if (page === approving) return ['left', 'right'];
    return all ? ['left', 'right', 'both'] : ['both'];
  };
  return Array.from({ length: pages }, (_, page) => pages - 1 - page).flatMap(page =>
    keysOn(page).map(key => ({ session, page, key })),
  );
}

export async function* pressScenarios(
  secret: readonly number[],
  all: boolean,
): AsyncGenerator<FaultScenario> {
  for (const session of SESSIONS.slice(0, all ? REVIEWS.length : 1)) {
    const allowed = await rehearse(session);
    for (const { page, key } of pressesOf(session, allowed, all)) {
      const { driver } = await openReview(session);
      await toPage(driver, page);
      await atPress(driver, key);
      const traced = new TracedCall(driver.pico, secret, mainLoop(driver));
      const judge = (outcome: Outcome) => judgePress(outcome, allowed);
      yield { name: `${session.name}, page ${page}, ${key}`, traced, steps: traced.stepsToTry(true), judge };
    }
  }
}
