import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseRefusal, statusWordOf } from '@zbc-signer/chain';
import { OK, USER_REJECTED } from '@zbc-signer/protocol/status-words';
import { type Screen, textsOf } from '../device/platform.js';
import { EmulatorError } from '../errors.js';
import { nameTest } from '../running-test.js';
import {
  type Kind,
  nameOfDecision,
  nameOfMenuPage,
  nameOfStatus,
  nameOfTitle,
  type Verdict,
} from './catalogue.js';

/** Subdirectory of a coverage directory with one file for each process. */
export const SESSIONS = 'sessions';

/** A line of a session's file: an element of the protocol that a test saw for the first time. */
export interface Finding {
  test: string;
  kind: string;
  name: string;
}

const STATUS_BYTES = 2;

/** The elements that this process has recorded, by the path of its file. */
const files = new Map<string, { path: string; known: Set<string> }>();
let sessions = 0;

/** The part of an Emulator that is observed. */
interface Watched {
  readonly reviewing: boolean;
  on(event: 'screen', listener: (screen: Screen) => void): unknown;
  on(event: 'input', listener: (input: { apdu: Uint8Array } | object) => void): unknown;
  on(event: 'command', listener: (reply: Uint8Array | undefined) => void): unknown;
  on(event: 'decision', listener: (reply: Uint8Array) => void): unknown;
}

/**
 * Records which elements of the protocol (titles, decisions, menu pages, refusal reasons, status words) the
 * clients of one emulator see. Each line is written at once, because test tools kill their child processes.
 */
export class CoverageRecorder {
  readonly #session = `session ${++sessions} of process ${process.pid}`;
  readonly #file: { path: string; known: Set<string> };
  /** The INS byte of the command whose review is open. */
  #reviewing: number | undefined;
  #lastInstruction = 0;

  /** Creates the directory; throws BAD_COVERAGE if it cannot be written to. */
  constructor(directory: string) {
    const place = join(resolve(directory), SESSIONS);
    try {
      mkdirSync(place, { recursive: true });
    } catch (error) {
      throw new EmulatorError('BAD_COVERAGE', `cannot write to ${directory}: ${(error as Error).message}`);
    }
    const path = join(place, `${process.pid}-${randomBytes(6).toString('hex')}.jsonl`);
    this.#file = files.get(place) ?? { path, known: new Set() };
    files.set(place, this.#file);
  }

  observe(emulator: Watched): void {
    emulator.on('screen', screen => {
      if (!emulator.reviewing) this.#reviewing = undefined;
      this.#seeScreen(screen, emulator.reviewing);
    });
    emulator.on('input', input => {
      if ('apdu' in input && this.#reviewing === undefined) this.#lastInstruction = input.apdu[1] ?? 0;
      if ('cancel' in input) this.#decide('cancelled');
    });
    emulator.on('command', reply => {
      if (reply) this.#seeReply(reply);
      else this.#reviewing = this.#lastInstruction;
    });
    emulator.on('decision', reply => {
      this.#seeReply(reply);
      const word = statusWordOf(reply);
      if (word === OK) this.#decide('approved');
      else if (word === USER_REJECTED) this.#decide('rejected');
    });
  }

  #see(kind: Kind, name: string): void {
    const finding: Finding = { test: nameTest() ?? this.#session, kind, name };
    const line = JSON.stringify(finding);
    if (this.#file.known.has(line)) return;
    this.#file.known.add(line);
    appendFileSync(this.#file.path, `${line}\n`);
  }

  #seeScreen(screen: Screen, isReview: boolean): void {
    const texts = textsOf(screen);
    if (isReview) this.#see('title', nameOfTitle(texts));
    else if (texts.length > 0) this.#see('menu page', nameOfMenuPage(texts));
  }

  #seeReply(reply: Uint8Array): void {
    const word = statusWordOf(reply);
    this.#see('status word', nameOfStatus(word));
    const refusal = word === OK ? undefined : parseRefusal(reply.subarray(0, -STATUS_BYTES));
    if (refusal) this.#see('refusal reason', refusal.reason);
  }

  #decide(verdict: Verdict): void {
    if (this.#reviewing === undefined) return;
    this.#see('decision', nameOfDecision(this.#reviewing, verdict));
    this.#reviewing = undefined;
  }
}
