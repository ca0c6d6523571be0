// Sessions in which a user signs each type and a message, confirms an address, registers a contact and pays it:
// the device's answers and screens at each event, and the outcomes that are forbidden under a fault.

import { createHash, verify } from 'node:crypto';
import { derivePrivateKey } from '@zbc-signer/chain';
import { publicKeyObject } from '../../testkit/crypto/openssl.js';
import { getPublicKey, signMessage, signTransaction } from '../../testkit/device/apdu.js';
import { BareDevice } from '../../testkit/device/bare-device.js';
import { type Image, WholeState } from '../../testkit/device/exported-globals.js';
import {
  CASES,
  COMMANDS,
  contactNodes,
  KNOWN,
  keyOf,
  noncePointOf,
  SEEDS,
  sha3,
  signatureOf,
} from '../explore/alphabet.js';

const RIGHT = 2;
const BOTH = 3;

export interface Session {
  name: string;
  /** Presses that change the settings first. */
  presses: number[];
  apdus: Uint8Array[];
  /**
   * Set if `apdus` have a wrong proof, so that nothing must be signed: the commands with the right proof, which
   * open a review.
   */
  proved?: Uint8Array[];
  /** REVEAL, if the header has a commitment, and its reply. */
  reveal?: { command: Uint8Array; reply: string };
  /** The signed data for the bytes sent. */
  signed: (bytes: Buffer) => Uint8Array;
}

const MESSAGE = Buffer.from('Sign in as alice\nnonce 7');

interface Settings {
  details: boolean;
  refuses: boolean;
}

/** Presses from the menu's first page to the settings and back. */
const pressesOf = ({ details, refuses }: Settings) => [
  RIGHT,
  BOTH,
  ...(refuses ? [BOTH] : []),
  RIGHT,
  ...(details ? [BOTH] : []),
  RIGHT,
  RIGHT,
  BOTH,
];

/** Returns a session that reviews a transaction, a message or an address. */
function sessionOf(name: string, settings: Settings): Session {
  const on = [...(settings.details ? ['details'] : []), ...(settings.refuses ? ['only known chains'] : [])];
  const head = { name: [name, ...on].join(', '), presses: pressesOf(settings) };
  if (name === 'message') return { ...head, apdus: signMessage(0, MESSAGE), signed: bytes => bytes };
  if (name === 'address') return { ...head, apdus: [getPublicKey(1, true)], signed: bytes => bytes };
  const request = CASES[name]!;
  const genesis = settings.refuses ? KNOWN : request.genesis;
  const { length } = request.tx;
  const signed = (bytes: Buffer) =>
    sha3(Buffer.from('ZBC-TX'), Buffer.from(genesis, 'hex'), bytes.subarray(0, length / 2));
  return { ...head, apdus: signTransaction({ ...request, genesis }), signed };
}

export const REVIEWS = ['send', 'address', 'token', 'approve', 'message', 'token escrow', 'escrow'];

/**
 * Number of sessions in which the short form flips every bit of the state: settings off, and a short escrow.
 */
const WHOLE = 6;

const sendWith = (header: string) => [header, 'send first', 'send last'].map(name => COMMANDS[name]!);
const PROVED = sendWith('send header with a contact');

/** Pays the recipient of `send` as a contact. */
const PAYMENT = {
  ...sessionOf('send', { details: false, refuses: false }),
  name: 'send to a contact',
  apdus: PROVED,
};

/** Sessions that register a contact, pay it, and pay it with a wrong proof. */
export const CONTACT_SESSIONS: Session[] = [
  { name: 'contact', presses: [], apdus: [COMMANDS.contact!], signed: bytes => bytes },
  PAYMENT,
  {
    ...PAYMENT,
    name: 'send with a wrong proof',
    apdus: sendWith('send header with a wrong proof'),
    proved: PROVED,
  },
];

const committedTo = (name: string, header: string, chunks: string[], reveal: string): Session => ({
  ...sessionOf(name === 'send' ? name : 'message', { details: false, refuses: false }),
  name: `${name}, ${reveal}`,
  apdus: [header, ...chunks].map(each => COMMANDS[each]!),
  reveal: { command: COMMANDS[reveal]!, reply: reveal === 'reveal of other bytes' ? '0000002b6a80' : '' },
});

/** Sessions with a commitment: the right bytes are revealed, or others, which must not be signed with. */
export const COMMITTED_SESSIONS: Session[] = [
  committedTo('send', 'send header, committed', ['send first', 'send last'], 'reveal of a transaction'),
  ...['reveal of a message', 'reveal of other bytes'].map(reveal =>
    committedTo('letters', 'message of 100, committed', ['letters 100'], reveal),
  ),
];

/** Each review in each setting; those with settings off are first, those with contacts and commitments last. */
export const SESSIONS: Session[] = [
  ...REVIEWS.map(name => sessionOf(name, { details: false, refuses: false })),
  ...[true, false].flatMap(details =>
    (details ? [false, true] : [true]).flatMap(refuses =>
      REVIEWS.map(name => sessionOf(name, { details, refuses })),
    ),
  ),
  ...CONTACT_SESSIONS,
  ...COMMITTED_SESSIONS,
];

/** Returns whether the short form flips every bit of the state in a session. */
export const isWhole = (session: Session): boolean =>
  SESSIONS.indexOf(session) < WHOLE || session.reveal !== undefined || CONTACT_SESSIONS.includes(session);

/** An event from the platform. */
export type Step = { command: Uint8Array } | { button: number };

export interface Result {
  reply: string;
  /** The pixels that were shown last; empty if there are none. */
  frame: string;
  trapped: boolean;
}

export const STATIC = 24576;
/** More bytes than any reply has; a faulty module may claim any length. */
const MOST_REPLY = 300;

export class FaultyDevice extends BareDevice {
  readonly #state: WholeState;

  constructor(compiled: WebAssembly.Module, branch?: (condition: number, place: number) => number) {
    super(compiled, undefined, false, branch && { fault: { branch } });
    this.#state = new WholeState(this.app, STATIC);
  }

  image(): Image {
    return this.#state.save();
  }

  restore(image: Image): void {
    this.#state.restore(image);
  }

  run(step: Step): Result {
    this.frame = new Uint8Array();
    let reply = '';
    let trapped = false;
    try {
      reply = 'command' in step ? this.command(step.command) : this.press(step.button);
    } catch {
      trapped = true;
    }
    return { reply, frame: Buffer.from(this.frame).toString('latin1'), trapped };
  }

  protected override reply(length: number): string {
    return super.reply(Math.min(Math.max(length, 0), MOST_REPLY));
  }
}

/**
 * Returns the steps of a session up to its approval or REVEAL, found on a device without faults, with their results. The
 * results are those with the right proof.
 */
export function rehearse(device: FaultyDevice, session: Session): { steps: Step[]; right: Result[] } {
  const steps: Step[] = (session.proved ?? session.apdus).map(command => ({ command }));
  const right = steps.map(step => device.run(step));
  const image = device.image();
  for (let last = ''; ; ) {
    const result = device.run({ button: RIGHT });
    if (result.frame === last) break;
    last = result.frame;
    steps.push({ button: RIGHT });
    right.push(result);
  }
  // The last step is omitted, because it led to the reject page.
  steps.pop();
  right.pop();
  device.restore(image);
  for (const step of steps.slice(session.apdus.length)) device.run(step);
  steps.push({ button: BOTH });
  right.push(device.run({ button: BOTH }));
  if (session.reveal) {
    const { command, reply } = session.reveal;
    const result = device.run({ command });
    steps.push({ command });
    right.push({ ...result, reply: reply || result.reply });
  }
  steps.splice(0, session.apdus.length, ...session.apdus.map(command => ({ command })));
  return { steps, right };
}

/**
 * Secrets of which no reply may contain 8 bytes: the seed, keys, scalars and prefixes of the accounts used, and
 * the nodes on the path to the contact key.
 */
const SECRETS: Buffer[] = [Buffer.from(SEEDS.A), ...contactNodes('A')];
for (const account of [0, 1]) {
  const key = derivePrivateKey(SEEDS.A, account);
  SECRETS.push(Buffer.from(key), createHash('sha512').update(key).digest());
  keyOf('A', account);
}
const WINDOWS = new Set(
  SECRETS.flatMap(secret =>
    Array.from({ length: secret.length - 7 }, (_, i) => secret.toString('hex', i, i + 8)),
  ),
);

/** Returns whether a hexadecimal text contains 8 consecutive bytes of a secret. */
export function holdsSecret(reply: string): boolean {
  for (let at = 0; at + 16 <= reply.length; at += 2) if (WINDOWS.has(reply.slice(at, at + 16))) return true;
  return false;
}

/**
 * The outcome of a faulty run. `misdrawn`: the correct signature, but an earlier page differed. `other hash`:
 * the correct signature with a wrong transaction hash. `other nonce`: a valid signature of the shown bytes
 * with another nonce. `other upload`: a received bit was flipped before the upload was complete, and the
 * result was shown and signed. `public key`: a reply that begins with the account's public key, which is not
 * secret. `wrong name`: a signature although the proof of a contact is wrong. `other signature` is also a proof
 * of another contact, and `early signature` a proof before the approval, or R0. `plain`: a signature of RFC 8032 in
 * place of R0, whose nonce has nothing in common with r0. `point`: R0 for a commitment of zeros in place of a signature.
 */
export type Verdict =
  | 'same'
  | 'trap'
  | 'refusal'
  | 'misdrawn'
  | 'other hash'
  | 'other nonce'
  | 'other upload'
  | 'public key'
  | 'other signature'
  | 'early signature'
  | 'wrong name'
  | 'plain'
  | 'point'
  | 'secret';

const publicKeys = [0, 1].map(account => keyOf('A', account).publicKey);
const verifiers = publicKeys.map(publicKeyObject);

const startsWithKey = (reply: string) => publicKeys.some(key => reply.startsWith(key.toString('hex')));

/** Returns the bytes in a session's chunks. */
export function bytesOf({ apdus }: Session): Buffer {
  return Buffer.concat(apdus.slice(1).map(apdu => apdu.subarray(5)));
}

/** Length in hexadecimal of the shortest reply that gives away something: a proof and a status word. */
const PROOF_REPLY = 2 * 34;

/** Judges a reply with the length of a proof or more that differs from the correct one. */
function judgeSignature(reply: string, right: string, signed: Uint8Array): Verdict {
  if (reply.slice(0, 128) === right.slice(0, 128)) return 'other hash';
  if (startsWithKey(reply)) return 'public key';
  const signature = Buffer.from(reply.slice(0, 128), 'hex');
  return verifiers.some(key => verify(null, signed, key, signature)) ? 'other nonce' : 'other signature';
}

/** Whether a reply is as long as R0 with its status word. */
export const isPoint = (reply: string) => reply.length === PROOF_REPLY && reply.endsWith('9000');

/** Whether a reply is R0 for a commitment of zeros, which no bytes have. */
const isLonePoint = (reply: string, signed: Uint8Array) =>
  isPoint(reply) && reply.startsWith(hexOf(noncePointOf('A', 0, new Uint8Array(32), signed)));

/** Whether a reply is a refusal, or nothing, in place of a signature, with zeros in its rest. */
const isEmpty = (reply: string) => /^.{12}0{116}(?!0)/.test(reply);

/** Whether a reply is the signature of account 0 by RFC 8032. */
const isPlain = (reply: string, signed: Uint8Array) => reply.startsWith(hexOf(signatureOf('A', 0, signed)));

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/**
 * Judges the results of the steps from number `from` on; `signed` is the data of the correct signature. With
 * `isCommitted`, the last step is REVEAL, and the approval before it gives R0, which is a point and no more.
 */
export function judge(
  right: readonly Result[],
  faulty: readonly Result[],
  from: number,
  signed: Uint8Array | undefined,
  isCommitted = false,
): Verdict {
  const last = right.length - 1;
  const approval = isCommitted ? last - 1 : last;
  const { reply: rightReply } = right[last]!;
  let misdrawn = false;
  for (const [i, result] of faulty.entries()) {
    const step = from + i;
    if (result.reply.length >= 32 && holdsSecret(result.reply)) return 'secret';
    if (result.trapped) return 'trap';
    if (isCommitted && isPoint(result.reply)) {
      if (step < approval) return 'early signature';
      continue;
    }
    const isSignature = result.reply.length >= PROOF_REPLY;
    if (isSignature && step === approval && isCommitted && isPlain(result.reply, signed!)) return 'plain';
    if (isCommitted && step === last && isEmpty(result.reply)) return 'refusal';
    if (step === approval && signed && isLonePoint(result.reply, signed)) return 'point';
    if (isSignature && signed === undefined) return startsWithKey(result.reply) ? 'public key' : 'wrong name';
    if (isSignature && step !== last && startsWithKey(result.reply)) return 'public key';
    if (isSignature && result.reply !== rightReply) return judgeSignature(result.reply, rightReply, signed!);
    if (isSignature && step !== last) return 'early signature';
    if (isSignature) return misdrawn ? 'misdrawn' : 'same';
    if (result.reply !== right[step]!.reply) return 'refusal';
    if (step < approval && result.frame !== right[step]!.frame) misdrawn = true;
  }
  return 'refusal';
}
