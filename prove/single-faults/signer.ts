// The sessions of the signer, for single faults.
import { dirname, join } from 'node:path';
import type { Image } from '../../testkit/device/exported-globals.js';
import { sealedBlock } from '../sealed-block.js';
import { openWithGlobals } from '../wasm/exports.js';
import { bitsOfGlobals, type Course, type Extent, type Flip, type Subject } from './campaign.js';
import {
  bytesOf,
  COMMITTED_SESSIONS,
  CONTACT_SESSIONS,
  FaultyDevice,
  isPoint,
  isWhole,
  judge,
  type Result,
  rehearse,
  SESSIONS,
  type Session,
  STATIC,
  type Step,
  type Verdict,
} from './session.js';

/** Ends that no fault may have. */
const CRITICAL: string[] = [
  'misdrawn',
  'other hash',
  'other nonce',
  'other signature',
  'early signature',
  'wrong name',
  'secret',
] satisfies Verdict[];
const UPLOAD_BYTES = 2048 + 2112;
/** Before an approval with a commitment, the short form tries one in so many bytes of the constants. */
const APPROVAL_SHARE = 32;

class SignerCourse implements Course<Image, FaultyDevice> {
  readonly images: Image[] = [];
  readonly asking: FaultyDevice;
  readonly plain: FaultyDevice;
  readonly #session: Session;
  /** The data of the correct signature. */
  readonly #signed: Uint8Array | undefined;
  readonly #steps: Step[];
  readonly #right: Result[];
  readonly #block: [start: number, end: number];

  constructor(path: string, session: Session, take: (condition: number, place: number) => number) {
    const { compiled, module } = openWithGlobals(path);
    this.#block = sealedBlock(module);
    this.#session = session;
    this.#signed = session.proved ? undefined : session.signed(bytesOf(session));
    this.asking = new FaultyDevice(compiled, take);
    this.plain = new FaultyDevice(openWithGlobals(join(dirname(path), 'signer.wasm')).compiled);
    for (const button of session.presses) this.plain.run({ button });
    const fresh = this.plain.image();
    const { steps, right } = rehearse(this.plain, session);
    [this.#steps, this.#right] = [steps, right];
    this.plain.restore(fresh);
    // After a refusal, the steps are presses in the menu, in which no faults are tried.
    for (const step of session.proved ? steps.slice(0, session.apdus.length) : steps) {
      this.images.push(this.plain.image());
      this.plain.run(step);
    }
  }

  get name(): string {
    return this.#session.name;
  }

  *flipsBefore(event: number, extent: Extent): Iterable<Flip> {
    if (event === 0) return;
    const whole = isWhole(this.#session);
    const isLast = event === this.images.length - 1;
    if (extent === 'control' || whole === (extent === 'short')) yield* this.#state(this.images[event]!);
    const isReveal = isLast && this.#session.reveal !== undefined;
    if (extent === 'long' || (extent === 'short' && whole && isLast) || isReveal) yield* this.#constants();
    // They last until REVEAL: R0 and the signature must agree.
    const isApproval = event === this.images.length - 2 && this.#session.reveal !== undefined;
    if (isApproval && extent !== 'long') yield* this.#constants(APPROVAL_SHARE);
  }

  /** Each bit of the state block, the received bytes, and the globals. */
  *#state(image: Image): Iterable<Flip> {
    const [start, end] = this.#block;
    let last = end + UPLOAD_BYTES;
    while (last > end && image.memory[last - 1] === 0) last--;
    for (let at = start; at < last; at++) for (let bit = 0; bit < 8; bit++) yield { kind: 'state', at, bit };
    yield* bitsOfGlobals(image);
  }

  /** One bit of each byte, or of one in `share`, outside the state: constants, tables, and unused memory. */
  *#constants(share = 1): Iterable<Flip> {
    const [start, end] = this.#block;
    for (let at = share >> 2; at < STATIC; at += share)
      if (at < start || at >= end + UPLOAD_BYTES) yield { kind: 'constants', at, bit: (at * 5) & 7 };
  }

  happen(device: FaultyDevice, event: number): void {
    device.run(this.#steps[event]!);
  }

  finish(device: FaultyDevice, event: number, flip?: Flip): Verdict {
    const results: Result[] = [];
    for (const step of this.#steps.slice(event)) {
      const result = device.run(step);
      results.push(result);
      const isRight = result.reply === this.#right[event + results.length - 1]!.reply;
      // A host that gets a wrong R0 may send REVEAL all the same.
      const goesOn = isRight || (this.#session.reveal !== undefined && isPoint(result.reply));
      if (result.trapped || !goesOn) break;
    }
    const isCommitted = this.#session.reveal !== undefined;
    const verdict = judge(this.#right, results, event, this.#signed, isCommitted);
    const isUpload = flip?.kind === 'state' && !flip.isGlobal && event < this.#session.apdus.length;
    if (verdict !== 'other signature' || !isUpload) return verdict;
    const offset = flip.at - this.#block[1];
    const bytes = bytesOf(this.#session);
    if (!(offset >= 0 && offset < bytes.length)) return verdict;
    bytes[offset]! ^= 1 << flip.bit;
    const again = judge(this.#right, results, event, this.#session.signed(bytes), isCommitted);
    return again === 'other nonce' ? 'other upload' : verdict;
  }

  /** A flipped constant that stays wrong in later steps is only counted: docs/SOUNDNESS.md#single-faults. */
  isHarm(end: string, event: number, flip?: Flip): boolean {
    const isLasting = flip?.kind === 'constants' && event < this.images.length - 1;
    return CRITICAL.includes(end) && !(isLasting && (end === 'misdrawn' || end === 'other signature'));
  }

  describe(event: number): string {
    return `before step ${event}`;
  }
}

export const SUBJECT: Subject = {
  sessions: SESSIONS.length,
  controlled: [
    0,
    1,
    ...[...CONTACT_SESSIONS, ...COMMITTED_SESSIONS].map(session => SESSIONS.indexOf(session)),
  ],
  open: (path, session, take) => new SignerCourse(path, SESSIONS[session]!, take),
};
