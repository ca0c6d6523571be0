import { invalidInputError, toHex, ZbcSignerError } from '@zbc-signer/chain';
import { reasonOf } from '../errors.js';
import { type CommittedNonce, NonceError, nonceFor } from './committed-nonce.js';
import { PROCESS_RECORD, refuseSigned, SigningRecord, unsignedError } from './signing-record.js';

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
  /** True signs although the device withheld eight signatures or more, or was caught. Default: false. */
  allowsWithheld?: boolean | undefined;
}

/** The check of a signature that can carry no hidden data. */
export interface CheckedNonce {
  /** Number of signatures that the device of the key withheld so far. Each may have leaked a bit. */
  withheld: number;
}

export interface CaughtOptions extends SigningOptions {
  /** Called as soon as there is a NonceError, so that no abort hides its evidence. */
  onCaught: () => void;
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
  onCaught: () => void;
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

/** Runs the commands of one signature. Calls `onHeader` when the device has accepted the header. */
type Sign<Signed> = (onHeader: () => void, contribution?: Contribution) => Promise<Signed>;

const MODES: readonly unknown[] = ['require', 'prefer', 'off', true, false];
/** Errors after the header by which no device can choose: what its user decides, and what the host refuses. */
const NO_CHOICE = ['ABORTED', 'USER_REJECTED', 'CONTACT_REQUIRED', 'RECORD_DAMAGED', 'ALREADY_SIGNED'];
/** Errors after the random bytes were sent that keep their code. */
const KEPT = ['ABORTED', 'NONCE_NOT_COMMITTED', 'INVALID_SIGNATURE', 'TRANSACTION_HASH_MISMATCH'];

/** How bytes are to be signed. Without a nonce, the host contributes none. */
interface SigningPlan {
  digest: Uint8Array | undefined;
  record: SigningRecord;
  nonce?: CommittedNonce;
  isRequired?: boolean;
}

/**
 * Reads how the bytes are to be signed. Rejects with `DEVICE_UNTRUSTED`, `SIGNATURE_WITHHELD`, `ALREADY_SIGNED` or
 * `RECORD_DAMAGED` if they must not be: then no device has to be asked.
 */
export async function planSigning(
  { publicKey, message, isTransaction }: SigningSubject,
  { antiExfil = 'off', record = PROCESS_RECORD, allowsWithheld }: SigningOptions,
): Promise<SigningPlan> {
  if (!MODES.includes(antiExfil))
    throw invalidInputError('antiExfil must be require, prefer, off or a boolean');
  if (!(record instanceof SigningRecord)) throw invalidInputError('record must be a SigningRecord');
  const digest = isTransaction ? message : undefined;
  if (antiExfil === 'off' || antiExfil === false) {
    if (digest) refuseSigned(digest, (await record.read(publicKey)).signed);
    return { digest, record };
  }
  const { isRequired, signed, plain } = await record.readTrusted(publicKey, allowsWithheld);
  const nonce = nonceFor(publicKey, message);
  if (digest && !nonce.isRevealed) {
    refuseSigned(digest, signed);
    const wasPlain = plain.includes(toHex(digest));
    // The same signature again does no harm.
    if (wasPlain && !isRequired && antiExfil === 'prefer') return { digest, record };
    refuseSigned(digest, plain);
  }
  return { digest, record, nonce, isRequired };
}

/**
 * Signs by the options, and counts the signatures that the device withholds. Rejects with `NOT_SUPPORTED`,
 * `DEVICE_UNTRUSTED`, `NONCE_INVALID`, `NONCE_NOT_COMMITTED`, `NONCE_CHANGED`, `SIGNATURE_WITHHELD`,
 * `ALREADY_SIGNED`, `RECORD_DAMAGED` or the error of `sign`; then nothing was signed, or the signature was discarded.
 */
export async function signByOptions<Signed extends object>(
  subject: SigningSubject,
  options: CaughtOptions,
  sign: Sign<Signed>,
): Promise<Signed & { antiExfil?: CheckedNonce }> {
  const { digest, record, nonce, isRequired } = await planSigning(subject, options);
  const { publicKey } = subject;
  const signPlainly = async (onHeader: () => void) => {
    if (digest) await record.notePlain(publicKey, digest);
    return await sign(onHeader);
  };
  if (nonce === undefined) return await signPlainly(() => undefined);
  const signing = { publicKey, digest, nonce, record, onCaught: options.onCaught };
  try {
    const result = await signCommitted(signing, sign);
    return { ...result, antiExfil: { withheld: await noteSigned(signing) } };
  } catch (error) {
    if (Object(error).code !== 'NOT_SUPPORTED') throw error;
    if (isRequired) throw unsignedError('DEVICE_UNTRUSTED', 'answered differently before');
    if (options.antiExfil !== 'prefer') throw error;
    const result = await counted(signing, signPlainly);
    await noteSigned(signing);
    return result;
  }
}

/** Signs with the contribution of the host. */
async function signCommitted<Signed>(signing: Signing, sign: Sign<Signed>): Promise<Signed> {
  const { publicKey, digest, nonce, record } = signing;
  let withheld: number | undefined;
  const contribution: Contribution = {
    commitment: nonce.commitment,
    reveal: async noncePoint => {
      const randomBytes = nonce.take(noncePoint);
      const isCounted = nonce.countedBy === record;
      withheld = await record.noteRevealed(publicKey, digest, { isAgain: nonce.isRevealed, isCounted });
      nonce.countedBy = record;
      nonce.isRevealed = true;
      return randomBytes;
    },
    check: signature => nonce.check(signature),
  };
  try {
    return await counted(signing, onHeader => sign(onHeader, contribution));
  } catch (error) {
    if (withheld === undefined || KEPT.includes(Object(error).code)) throw error;
    throw withheldError(withheld, error);
  }
}

/** Runs the commands, and counts a failure by which a device can choose what it signs, because it knows the bytes. */
async function counted<Signed>(
  { publicKey, nonce, record, onCaught }: Signing,
  sign: (onHeader: () => void) => Promise<Signed>,
): Promise<Signed> {
  let hasHeader = false;
  try {
    return await sign(() => {
      hasHeader = true;
    });
  } catch (error) {
    try {
      if (error instanceof NonceError) {
        onCaught();
        await record.noteCaught(publicKey);
      } else if (hasHeader && nonce.countedBy !== record && !NO_CHOICE.includes(Object(error).code)) {
        await record.countWithheld(publicKey);
        nonce.countedBy = record;
      }
    } catch {
      // What the device did matters more than a record that cannot be written.
    }
    throw error;
  }
}

/** Takes a count of this record back, because the same bytes are signed now. Resolves with the number that is left. */
async function noteSigned({ publicKey, nonce, record }: Signing): Promise<number> {
  if (nonce.countedBy !== record) return (await record.read(publicKey)).withheld;
  const withheld = await record.noteSigned(publicKey);
  nonce.countedBy = undefined;
  return withheld;
}

function withheldError(withheld: number, cause: unknown): ZbcSignerError {
  const message = `the device gave no signature after the approval: ${reasonOf(cause)}. Nothing was sent. So far ${withheld} of this key are missing`;
  return new ZbcSignerError('SIGNATURE_WITHHELD', message, { facts: { withheld }, cause });
}
