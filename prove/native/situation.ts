// Presses that must not sign: the pages of a review on a simulated Pico, and what it may show and send after each.
import type { Key } from '../../testkit/boards/driver.js';
import { symbol } from '../../testkit/boards/image.js';
import { PicoDriver } from '../../testkit/boards/pico-driver.js';
import { emptyStorage } from '../../testkit/boards/storage.js';
import { framed } from '../../testkit/device/reports.js';
import type { Session } from '../single-faults/session.js';
import { hashOf, Walk } from './trial.js';

const CHANNEL = 0x1000;
const REPLY_MS = 60;
/** The user's refusal, and an error of the device's own: neither has a signature (docs/APDU.md#status-words). */
const REFUSALS = ['6985', '6f00'].map(status => Buffer.from(status, 'hex'));

/** A press on a page of a session, counted from 0. */
export interface Press {
  session: Session;
  page: number;
  key: Key;
}

/** What a review may come to without an approval. */
export interface Allowed {
  frames: ReadonlySet<string>;
  reports: ReadonlySet<string>;
  /** How many pages there are; the last but one approves, the last rejects. */
  pages: number;
}

/** The host has read all replies to what the review is made of. */
async function openReview(session: Session): Promise<{ driver: PicoDriver; channel: number }> {
  const driver = await PicoDriver.open({ storage: emptyStorage(), passphrase: '' });
  let channel = CHANNEL;
  for (const command of session.apdus) {
    for (const report of framed(++channel, command)) await driver.write(0, report);
    while (await driver.read(0, REPLY_MS));
  }
  await driver.settle();
  return { driver, channel };
}

/** Pages through the review and rejects it: everything that it shows and sends. */
export async function rehearse(session: Session): Promise<Allowed> {
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
  const refused = REFUSALS.flatMap(status => framed(channel, status));
  return {
    frames: new Set(frames),
    reports: new Set(refused.map(report => Buffer.from(report).toString('hex'))),
    pages,
  };
}

/** The walk from a key's release on, at a page of a review. */
export async function walkOf({ session, page, key }: Press, signs: string): Promise<Walk> {
  const { driver } = await openReview(session);
  const { pico } = driver;
  for (let at = 0; at < page; at++) {
    await driver.press('right');
    await driver.settle();
  }
  const word = (name: string) => Buffer.from(pico.memory(symbol(name), 4)).readUInt32LE();
  pico.onCall('exchange_step', () => {
    if (word('queued') !== word('taken')) throw new Released();
  });
  try {
    await driver.press(key);
  } catch (error) {
    if (error instanceof Released) return new Walk(pico, signs);
    throw error;
  }
  throw new Error('the press does not reach the main loop');
}

/** Stops the simulator where the main loop is about to take the press. */
class Released extends Error {}
