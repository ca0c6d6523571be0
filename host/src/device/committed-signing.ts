import { AbortedError, toHex, ZbcSignerError } from '@zbc-signer/chain';
import { DeviceRefusedError, reasonOf } from '../errors.js';
import { type CommittedNonce, nonceFor } from './committed-nonce.js';
import { PROCESS_RECORD, type SigningRecord } from './signing-record.js';

/**
 * Whether a signature must be checked for hidden data (docs/WALLET.md#signatures-without-hidden-data). `prefer` requires
 * it too, except with a firmware that lacks it and whose key never had it.
 */
export type AntiExfil = 'require' | 'prefer' | 'off';

/** Options of a call that signs. */
export interface SigningOptions {
  /** An abort rejects the call with AbortedError at once and drops the connection, which ends a review. */
  signal?: AbortSignal | undefined;
  /**
   * True is `require`. With it, another call with the same bytes gives another transaction hash, unless it is made by
   * the same program. Default: `off`, which is false.
   */
  antiExfil?: AntiExfil | boolean | undefined;
  /** Where the program remembers what devices did. Default: the memory of this program. */
  record?: SigningRecord | undefined;
  /** True signs although the device withheld eight signatures or more. Default: false. */
  allowsWithheld?: boolean | undefined;
}

/** The check of a signature that can carry no hidden data. */
export interface CheckedNonce {
  /** Number of signatures that the device of the key withheld so far. Each may have leaked a bit. */
  withheld: number;
}

/** What is signed: the public key and what Ed25519 signs, which is a digest of 32 bytes for a transaction. */
interface SigningSubject {
  publicKey: Uint8Array;
  message: Uint8Array;
  isTransaction: boolean;
}

interface Signing {
  publicKey: Uint8Array;
  /** The signing digest of a transaction. */
  digest: Uint8Array | undefined;
  nonce: CommittedNonce;
  record: SigningRecord;
}

/** The host's part in the commands of one signature. */
export interface Contribution {
  /** 32 bytes, which the header carries. */
  readonly commitment: Uint8Array;
  /** Checks the point of the nonce, and resolves with the random bytes once the record knows that they are sent. */
  reveal(noncePoint: Uint8Array): Promise<Uint8Array>;
  /** Throws NonceError if the signature has another nonce. */
  check(signature: Uint8Array): void;
}

/** Runs the commands of one signature. */
type Sign<Signed> = (contribution?: Contribution) => Promise<Signed>;

/**
 * Signatures that a device may withhold before the host signs no more. With each, it can choose less than 1.45 bits of
 * what is published (docs/THREATS.md#hidden-data-in-signatures).
 */
const MAX_WITHHELD = 8;
/** Errors that the user sees on the device, or that come before it is asked to sign. */
const VISIBLE = [
  'USER_REJECTED',
  'CONTACT_REQUIRED',
  'LOCKED',
  'BUSY',
  'WRONG_APP',
  'NOT_SUPPORTED',
  'INVALID_INPUT',
  'RECORD_DAMAGED',
];
/** Faults of a signature that has arrived. */
const INTEGRITY = ['NONCE_NOT_COMMITTED', 'INVALID_SIGNATURE', 'TRANSACTION_HASH_MISMATCH'];

/**
 * Signs by the options, and counts the signatures that the device withholds. Rejects with `NOT_SUPPORTED`,
 * `NONCE_INVALID`, `NONCE_NOT_COMMITTED`, `NONCE_CHANGED`, `SIGNATURE_WITHHELD`, `ALREADY_SIGNED`,
 * `RECORD_DAMAGED` or the error of `sign`; then nothing was signed, or the signature was discarded.
 */
export async function signByOptions<Signed extends object>(
  { publicKey, message, isTransaction }: SigningSubject,
  { antiExfil = 'off', record = PROCESS_RECORD, allowsWithheld = false }: SigningOptions,
  sign: Sign<Signed>,
): Promise<Signed & { antiExfil?: CheckedNonce }> {
  if (antiExfil === 'off' || antiExfil === false) return sign();
  const { isRequired, withheld, signed } = await record.read(publicKey);
  if (withheld >= MAX_WITHHELD && !allowsWithheld) throw tooManyWithheldError(withheld);
  const nonce = nonceFor(publicKey, message);
  if (isTransaction && !nonce.isRevealed && signed.includes(toHex(message))) throw alreadySignedError();
  const signing = { publicKey, digest: isTransaction ? message : undefined, nonce, record };
  try {
    const result = await signCommitted(signing, sign);
    return { ...result, antiExfil: { withheld: await noteSigned(signing, true) } };
  } catch (error) {
    if (Object(error).code !== 'NOT_SUPPORTED' || antiExfil !== 'prefer') throw error;
    if (isRequired) throw changedFirmwareError(error);
    const result = await sign().catch(failure => countFailure(signing, failure));
    if (nonce.isCounted) await noteSigned(signing, false);
    return result;
  }
}

async function signCommitted<Signed>(signing: Signing, sign: Sign<Signed>): Promise<Signed> {
  const { publicKey, digest, nonce, record } = signing;
  let isRevealed = false;
  try {
    return await sign({
      commitment: nonce.commitment,
      reveal: async noncePoint => {
        const randomBytes = nonce.reveal(noncePoint);
        await record.noteRevealed(publicKey, digest, nonce.isCounted);
        nonce.isCounted = true;
        isRevealed = true;
        return randomBytes;
      },
      check: signature => nonce.check(signature),
    });
  } catch (error) {
    if (!isRevealed) return countFailure(signing, error);
    if (error instanceof AbortedError || INTEGRITY.includes(Object(error).code)) throw error;
    throw withheldError((await record.read(publicKey)).withheld, error);
  }
}

/**
 * Counts a failure that the user cannot see on the device, and throws it. If the same bytes are signed later, the
 * count is taken back; other bytes would give the device another choice.
 */
async function countFailure({ publicKey, nonce, record }: Signing, error: unknown): Promise<never> {
  const isVisible =
    error instanceof AbortedError ||
    error instanceof DeviceRefusedError ||
    VISIBLE.includes(Object(error).code);
  if (!isVisible && !nonce.isCounted) {
    nonce.isCounted = true;
    await record.countWithheld(publicKey);
  }
  throw error;
}

function noteSigned({ publicKey, nonce, record }: Signing, isChecked: boolean): Promise<number> {
  const wasCounted = nonce.isCounted;
  nonce.isCounted = false;
  return record.noteSigned(publicKey, { isChecked, wasCounted });
}

function withheldError(withheld: number, cause: unknown): ZbcSignerError {
  const message = `the device gave no signature after the approval: ${reasonOf(cause)}. So far ${withheld} of this key are missing`;
  return new ZbcSignerError('SIGNATURE_WITHHELD', message, { facts: { withheld }, cause });
}

function tooManyWithheldError(withheld: number): ZbcSignerError {
  const message = `the device withheld ${withheld} signatures of this key: nothing was signed`;
  return new ZbcSignerError('SIGNATURE_WITHHELD', message, { facts: { withheld } });
}

/** The same bytes with other random bytes would be another transaction, and the chain would accept both. */
function alreadySignedError(): ZbcSignerError {
  const message = 'this transaction was signed before: a second signature could pay a second time';
  return new ZbcSignerError('ALREADY_SIGNED', message);
}

function changedFirmwareError(cause: unknown): ZbcSignerError {
  const { facts } = cause as ZbcSignerError;
  const message =
    'this device answered differently before: it now refuses to keep hidden data out of signatures';
  return new ZbcSignerError('NOT_SUPPORTED', message, { facts, cause });
}
