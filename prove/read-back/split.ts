// Splits a valid transaction into its fields, independently of chain/'s decoder.
import { ACCOUNT_KINDS, KIND_NONE } from '@zbc-signer/chain';

/** The fields that a review without details omits, or shows only in part (docs/TRANSACTION.md#wire-format). */
interface Fields {
  timestamp: bigint;
  publicKey: Buffer;
  fee: bigint;
  body: Buffer;
  /** Undefined without an escrow. */
  instruction: Buffer | undefined;
  message: Buffer;
}

const TYPE_AND_VERSION = 5;
const PUBLIC_KEY = 32;
const COMMISSION_AND_TIMEOUT = 16;

/** Throws a TypeError or RangeError if the bytes are not a valid transaction. */
export function splitTransaction(bytes: Uint8Array): Fields {
  let rest = Buffer.from(bytes);
  const take = (length: number): Buffer => {
    const taken = rest.subarray(0, length);
    rest = rest.subarray(length);
    return taken;
  };
  const u32 = () => take(4).readUInt32LE();
  const u64 = () => take(8).readBigUInt64LE();
  const payload = (kind: number) => take(ACCOUNT_KINDS[kind]!.payloadLength);

  take(TYPE_AND_VERSION);
  const timestamp = u64();
  u32();
  const publicKey = take(PUBLIC_KEY);
  payload(u32());
  const fee = u64();
  const body = take(u32());
  let instruction: Buffer | undefined;
  const approver = u32();
  if (approver !== KIND_NONE) {
    payload(approver);
    take(COMMISSION_AND_TIMEOUT);
    instruction = take(u32());
    take(1);
  }
  return { timestamp, publicKey, fee, body, instruction, message: take(u32()) };
}
