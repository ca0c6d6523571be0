import {
  commitmentTo,
  formatJson,
  fromHex,
  isNoncePoint,
  parseJson,
  toHex,
  tweakNoncePoint,
  verify,
  ZbcSignerError,
} from '@zbc-signer/chain';
import { COMMITMENT_LENGTH, NONCE_POINT_LENGTH, SIGNATURE_LENGTH } from '@zbc-signer/protocol/limits';
import { reasonOf } from '../errors.js';

import type { SigningRecord } from './signing-record.js';

/** How a device failed that must not be used again (docs/WALLET.md#signatures-without-hidden-data). */
export type NonceFault = 'NONCE_INVALID' | 'NONCE_NOT_COMMITTED' | 'NONCE_CHANGED';

const MESSAGES: Readonly<Record<NonceFault, string>> = {
  NONCE_INVALID: 'nothing was sent: the device chose a nonce that can carry hidden data',
  NONCE_NOT_COMMITTED: 'nothing was sent: the signature of the device has another nonce than the agreed one',
  NONCE_CHANGED: 'nothing was sent: the device chose another nonce for the same bytes',
};
const FORMAT = 'zbc-signer-nonce-evidence';
const VERSION = 1n;
/** Greatest length of a document of evidence in characters: a message of 2 KiB in hex, and the other fields. */
export const MAX_EVIDENCE_LENGTH = 8192;
/** Signings whose random bytes are remembered. The oldest are forgotten first. */
const MAX_REMEMBERED = 256;

/** The fields of a document of evidence, in hex. `message` is what Ed25519 signs. */
interface Evidence {
  fault: string;
  public_key: string;
  message: string;
  random_bytes: string;
  nonce_point: string;
  /** The other nonce's point, or the signature. */
  other?: string;
}

/** The device must not be used again. Nothing was sent. The evidence may contain the seed. */
export class NonceError extends ZbcSignerError {
  override readonly name = 'NonceError';
  readonly #evidence: string;

  constructor(code: NonceFault, evidence: Omit<Evidence, 'fault'>) {
    super(code, MESSAGES[code]);
    this.#evidence = `${formatJson({ format: FORMAT, version: VERSION, fault: code, ...evidence })}\n`;
  }

  /**
   * A JSON document that any program can check. It may carry the seed: first move everything to a seed of another
   * device, then show the document to others. No log, report or error message has it.
   */
  evidence(): string {
    return this.#evidence;
  }
}

/** The random bytes that a host contributes to one signature, and the point that the device gave for them. */
export class CommittedNonce {
  readonly #randomBytes = crypto.getRandomValues(new Uint8Array(COMMITMENT_LENGTH));
  #noncePoint: Uint8Array | undefined;
  /** Whether the random bytes may have been sent. */
  isRevealed = false;
  /** The record that counts the signing as one that the device withheld. */
  countedBy: SigningRecord | undefined;

  constructor(
    private readonly publicKey: Uint8Array,
    private readonly message: Uint8Array,
  ) {}

  /** 32 bytes, which the header carries. */
  get commitment(): Uint8Array {
    return commitmentTo(this.#randomBytes);
  }

  /** Checks and keeps the point that the device gives after the approval. Returns the random bytes. Throws NonceError. */
  take(noncePoint: Uint8Array): Uint8Array {
    const before = this.#noncePoint;
    if (before !== undefined && toHex(before) !== toHex(noncePoint))
      throw this.#error('NONCE_CHANGED', before, noncePoint);
    if (!isNoncePoint(noncePoint)) throw this.#error('NONCE_INVALID', noncePoint);
    this.#noncePoint = noncePoint;
    return Uint8Array.from(this.#randomBytes);
  }

  /** Throws NonceError if the signature has another nonce. Its validity is not checked. */
  check(signature: Uint8Array): void {
    const noncePoint = this.#noncePoint;
    if (noncePoint === undefined || !hasNonce(signature, noncePoint, this.#randomBytes))
      throw this.#error('NONCE_NOT_COMMITTED', noncePoint ?? new Uint8Array(NONCE_POINT_LENGTH), signature);
  }

  #error(fault: NonceFault, noncePoint: Uint8Array, other?: Uint8Array): NonceError {
    return new NonceError(fault, {
      public_key: toHex(this.publicKey),
      message: toHex(this.message),
      random_bytes: toHex(this.#randomBytes),
      nonce_point: toHex(noncePoint),
      ...(other && { other: toHex(other) }),
    });
  }
}

const remembered = new Map<string, CommittedNonce>();

/**
 * The random bytes for a signature of these bytes. As long as this program runs, they are the same for the same
 * bytes: an honest device then gives the same signature, and a payment has one transaction hash.
 */
export function nonceFor(publicKey: Uint8Array, message: Uint8Array): CommittedNonce {
  const key = `${toHex(publicKey)} ${toHex(message)}`;
  const nonce =
    remembered.get(key) ?? new CommittedNonce(Uint8Array.from(publicKey), Uint8Array.from(message));
  remembered.delete(key);
  remembered.set(key, nonce);
  for (const oldest of remembered.keys()) {
    if (remembered.size <= MAX_REMEMBERED) break;
    remembered.delete(oldest);
  }
  return nonce;
}

function hasNonce(signature: Uint8Array, noncePoint: Uint8Array, randomBytes: Uint8Array): boolean {
  const encodedR = signature.subarray(0, SIGNATURE_LENGTH / 2);
  return toHex(encodedR) === toHex(tweakNoncePoint(noncePoint, randomBytes));
}

/** What a document of evidence shows. */
export interface NonceVerdict {
  fault: NonceFault;
  /** 32 bytes. */
  publicKey: Uint8Array;
  /**
   * Whether the values show the fault: an honest device cannot have given them. They do not show that they came from
   * the device; whoever wrote the document vouches for that.
   */
  isShown: boolean;
  /** Whether the document has a signature of the message by the device's key, which anybody can have seen. */
  isSigned: boolean;
}

/** Checks a document of `NonceError.evidence`. Throws `INVALID_DOCUMENT`. */
export function verifyNonceEvidence(json: string): NonceVerdict {
  const evidence = readEvidence(json);
  const [publicKey, message, randomBytes, noncePoint] = [
    evidence.public_key,
    evidence.message,
    evidence.random_bytes,
    evidence.nonce_point,
  ].map(fromHex) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  const other = fromHex(evidence.other ?? '');
  const isSigned = other.length === SIGNATURE_LENGTH && verify(other, message, publicKey);
  const shown: Record<NonceFault, () => boolean> = {
    NONCE_INVALID: () => !isNoncePoint(noncePoint),
    NONCE_CHANGED: () => toHex(other) !== toHex(noncePoint),
    NONCE_NOT_COMMITTED: () => isNoncePoint(noncePoint) && !hasNonce(other, noncePoint, randomBytes),
  };
  const fault = evidence.fault as NonceFault;
  return { fault, publicKey, isShown: shown[fault](), isSigned };
}

function readEvidence(json: string): Evidence {
  const damaged = (fault: string) => new ZbcSignerError('INVALID_DOCUMENT', `not nonce evidence: ${fault}`);
  if (json.length > MAX_EVIDENCE_LENGTH) throw damaged(`it is longer than ${MAX_EVIDENCE_LENGTH} characters`);
  let fields: Record<string, unknown>;
  try {
    fields = Object(parseJson(json));
  } catch (cause) {
    throw damaged(reasonOf(cause));
  }
  const { format, version, fault } = fields;
  if (format !== FORMAT || version !== VERSION) throw damaged(`it is not ${FORMAT} of version ${VERSION}`);
  if (typeof fault !== 'string' || !Object.hasOwn(MESSAGES, fault)) throw damaged('fault is not known');
  const isHex = (name: string, bytes: number | undefined) => {
    const text = fields[name];
    const isRight = typeof text === 'string' && /^(?:[0-9a-f]{2})*$/.test(text);
    if (!isRight || (bytes !== undefined && text.length !== 2 * bytes))
      throw damaged(`${name} is not the hex of ${bytes ?? 'some'} bytes`);
    return text;
  };
  const other = {
    NONCE_INVALID: 0,
    NONCE_CHANGED: NONCE_POINT_LENGTH,
    NONCE_NOT_COMMITTED: SIGNATURE_LENGTH,
  };
  return {
    fault,
    public_key: isHex('public_key', 32),
    message: isHex('message', undefined),
    random_bytes: isHex('random_bytes', COMMITMENT_LENGTH),
    nonce_point: isHex('nonce_point', NONCE_POINT_LENGTH),
    ...(fault !== 'NONCE_INVALID' && { other: isHex('other', other[fault as NonceFault]) }),
  };
}
