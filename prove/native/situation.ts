// Events on a simulated Pico that must not sign, and their possible outcomes: presses on the pages of a
// review.
import type { Key } from '../../testkit/boards/driver.js';
import { symbol } from '../../testkit/boards/image.js';
import { PicoDriver } from '../../testkit/boards/pico-driver.js';
import { emptyStorage } from '../../testkit/boards/storage.js';
import { framed } from '../../testkit/device/reports.js';
import { holdsSecret, SESSIONS, type Session } from '../single-faults/session.js';
import { type Course, hashOf, type Outcome, Walk } from './trial.js';

export const CHANNEL = 0x1000;
export const REPLY_MS = 60;
const ENDPOINTS = 3;
/**
 * The user's refusal, and an error of the device; neither contains a signature (docs/APDU.md#status-words).
 */
export const [REFUSED, INTERNAL] = ['6985', '6f00'];

/**
 * The outcome of a trial. `garbled`: wrong data was sent. `misdrawn`: during the review, the display shows
 * pixels of none of its pages. `menu misdrawn`: the same after a refusal; the next review redraws all pixels,
 * and so does the reset after a trap, a fault or a hang. `opens`: a seed is open that the user has not
 * opened. `confirmed`: a wrong word was accepted. `stays`: bytes of a forgotten seed remain. `dark`: a frame
 * counts as shown although the display did not accept it; `cut`: although only a part was sent; `blurred`:
 * although one word was lost or wrong. `other reply`: a wrong reply to a harmless command, within its buffer;
 * `other seed`: a key of bytes that are not a seed.
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

export interface Situation {
  name: string;
  walk: Walk;
  /** The steps of the walk at which faults are injected. */
  steps: readonly number[];
  judge(outcome: Outcome): Verdict;
}

/** Runs the main loop until it is idle; the host has read all data. */
export function mainLoop({ pico }: PicoDriver, shows = true): Course {
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

/** Stops the simulator where the main loop is about to handle the event of `act`. */
export async function until(
  driver: PicoDriver,
  holds: () => boolean,
  act: () => Promise<void>,
): Promise<void> {
  driver.pico.onCall('exchange_step', () => {
    if (holds()) throw new Released();
  });
  try {
    await act();
  } catch (error) {
    if (error instanceof Released) return;
    throw error;
  }
  throw new Error('the main loop does not get there');
}

class Released extends Error {}

export const atPress = (driver: PicoDriver, key: Key) =>
  until(
    driver,
    () => wordAt(driver, symbol('queued')) !== wordAt(driver, symbol('taken')),
    () => driver.press(key),
  );

export const atReport = (driver: PicoDriver, report: Uint8Array) =>
  until(
    driver,
    () => driver.pico.memory(symbol('has_received') + 1, 1)[0] === 1,
    async () => {
      await driver.write(0, report);
      await driver.settle();
    },
  );

export const reportsOf = (channel: number, reply: string) =>
  framed(channel, Buffer.from(reply, 'hex')).map(report => Buffer.from(report).toString('hex'));

export function leaves({ end, reports }: Outcome, allowed: ReadonlySet<string>): Verdict | undefined {
  if (end === 'signs') return end;
  if (holdsSecret(reports.join(''))) return 'secret';
  return reports.some(report => !allowed.has(report)) ? 'garbled' : undefined;
}

// The following code tests presses on the pages of a review.

/** A press on a page of a session, counted from 0. */
interface Press {
  session: Session;
  page: number;
  key: Key;
}

/** Possible outcomes of a review without an approval. */
interface Allowed {
  frames: ReadonlySet<string>;
  reports: ReadonlySet<string>;
  /** Number of pages; the last but one approves, the last rejects. */
  pages: number;
}

/** Opens a review; the host has read all replies to its commands. */
export async function openReview(session: Session): Promise<{ driver: PicoDriver; channel: number }> {
  const driver = await PicoDriver.open({ storage: emptyStorage(), passphrase: '' });
  let channel = CHANNEL;
  for (const command of session.apdus) {
    for (const report of framed(++channel, command)) await driver.write(0, report);
    while (await driver.read(0, REPLY_MS));
  }
  await driver.settle();
  return { driver, channel };
}

/** Pages through the review and rejects it; records all frames and packets. */
async function rehearse(session: Session): Promise<Allowed> {
  const { driver, channel } = await openReview(session);
  const frames: string[] = [];
  for (;;) {
    const frame = hashOf((await driver.frame())!);
    if (frame === frames.at(-1)) break;
    frames.push(frame);
    await driver.press('right');
    await driver.settle();
  }
  const pages = frames.length;
  await driver.press('both');
  await driver.settle();
  frames.push(hashOf((await driver.frame())!));
  return {
    frames: new Set(frames),
    reports: new Set([REFUSED, INTERNAL].flatMap(status => reportsOf(channel, status))),
    pages,
  };
}

export async function toPage(driver: PicoDriver, page: number): Promise<void> {
  for (let at = 0; at < page; at++) {
    await driver.press('right');
    await driver.settle();
  }
}

function judgePress(outcome: Outcome, { frames, reports }: Allowed): Verdict {
  const harm = leaves(outcome, reports) ?? (outcome.reports.length > 1 ? 'garbled' : undefined);
  if (harm || outcome.end !== 'idle') return harm ?? outcome.end;
  const isWrong = outcome.frames.length > 0 && !frames.has(outcome.frames.at(-1)!);
  if (outcome.reports.length > 0) return isWrong ? 'menu misdrawn' : 'refuses';
  return isWrong ? 'misdrawn' : 'idle';
}

/** Presses from the last page on, because a missing check does harm there soonest. */
function pressesOf(session: Session, { pages }: Allowed, all: boolean): Press[] {
  const approving = pages - 2;
  const keys = all ? (['left', 'right', 'both'] as const) : (['both'] as const);
  return Array.from({ length: pages }, (_, page) => pages - 1 - page).flatMap(page =>
    keys.filter(key => key !== 'both' || page !== approving).map(key => ({ session, page, key })),
  );
}

export async function* presses(secret: readonly number[], all: boolean): AsyncGenerator<Situation> {
  for (const session of all ? SESSIONS : SESSIONS.slice(0, 1)) {
    const allowed = await rehearse(session);
    for (const { page, key } of pressesOf(session, allowed, all)) {
      const { driver } = await openReview(session);
      await toPage(driver, page);
      await atPress(driver, key);
      const walk = new Walk(driver.pico, secret, mainLoop(driver));
      const judge = (outcome: Outcome) => judgePress(outcome, allowed);
      yield { name: `${session.name}, page ${page}, ${key}`, walk, steps: walk.edges(true), judge };
    }
  }
}
