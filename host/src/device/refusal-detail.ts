import {
  fieldName,
  type RefusalPlace,
  refusalMessage,
  type SizeLimit,
  TRANSACTION_TYPE_NAMES,
} from '@zbc-signer/chain';
import {
  MAX_INSTRUCTION,
  MAX_LINKED,
  MAX_MESSAGE,
  MAX_SIGN_MESSAGE,
  MAX_TRANSACTION,
} from '@zbc-signer/protocol/limits';

/**
 * The subject of a command: a noun for error messages, and the bytes to which the offset of a refusal refers.
 */
export interface Subject {
  noun: 'transaction' | 'message' | 'contact' | 'command';
  transaction?: Uint8Array | undefined;
  linked?: Uint8Array | undefined;
  message?: Uint8Array | undefined;
}

/**
 * Describes a refusal, such as `the escrow timeout is not after the timestamp (escrow, byte 93)`. A refusal
 * because of a size or a type also names the size or the type.
 */
export function describeDetail(place: RefusalPlace, subject: Subject): string {
  const words = refusalMessage(place.reason) ?? `unknown ${place.reason}`;
  const size = sizeOf(place, subject);
  const sizes = size === undefined ? '' : `: ${size.actual} bytes, at most ${size.allowed}`;
  return `${words}${sizes}${describeType(place, subject)} (${fieldName(place.field)}, byte ${place.offset})`;
}

/** The actual and the allowed size if the device refused a size; undefined for other reasons. */
export function sizeOf({ reason, offset }: RefusalPlace, subject: Subject): SizeLimit | undefined {
  const { transaction, linked, message } = subject;
  switch (reason) {
    case 'tx-too-large':
      return limit(transaction?.length, MAX_TRANSACTION);
    case 'linked-too-large':
      return limit(linked?.length, MAX_LINKED);
    case 'bad-message-length':
      return limit(message?.length, MAX_SIGN_MESSAGE);
    // In a transaction, these two reasons point at the length field.
    case 'instruction-too-long':
      return limit(readU32(transaction, offset), MAX_INSTRUCTION);
    case 'message-too-long':
      return message === undefined
        ? limit(readU32(transaction, offset), MAX_MESSAGE)
        : limit(message.length, MAX_SIGN_MESSAGE);
    default:
      return undefined;
  }
}

/** Returns a limit only if the size exceeds it. */
function limit(actual: number | undefined, allowed: number): SizeLimit | undefined {
  return actual !== undefined && actual > allowed ? { actual, allowed } : undefined;
}

function describeType({ reason }: RefusalPlace, { transaction }: Subject): string {
  const type = reason === 'type-unsupported' ? readU32(transaction, 0) : undefined;
  if (type === undefined) return '';
  return `: ${type}, ${TRANSACTION_TYPE_NAMES.get(type) ?? 'unknown type'}`;
}

function readU32(bytes: Uint8Array | undefined, offset: number): number | undefined {
  if (bytes === undefined || offset + 4 > bytes.length) return undefined;
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(offset, true);
}
