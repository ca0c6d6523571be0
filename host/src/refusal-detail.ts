import {
  FIELD_NAMES,
  REFUSAL_WORDS,
  refusalReason,
  type SizeLimit,
  TRANSACTION_TYPE_NAMES,
} from '../../chain/src/index.js';
import {
  MAX_INSTRUCTION,
  MAX_LINKED,
  MAX_MESSAGE,
  MAX_SIGN_MESSAGE,
  MAX_TRANSACTION,
} from '../../protocol/limits.js';
import type { RefusalPlace } from './errors.js';

const DETAIL = 4;

/** What a command was about: the noun for messages, and the buffers that a refusal points into. */
export interface Subject {
  noun: 'transaction' | 'message' | 'command';
  transaction?: Uint8Array | undefined;
  linked?: Uint8Array | undefined;
  message?: Uint8Array | undefined;
}

/** `field u8, offset u16, reason u8` (signer-protocol §1.4); undefined when the reply has no such detail. */
export function parseDetail(data: Uint8Array): RefusalPlace | undefined {
  if (data.length !== DETAIL) {
    return undefined;
  }
  const view = new DataView(data.buffer, data.byteOffset);
  const number = view.getUint8(3);
  return {
    field: view.getUint8(0),
    offset: view.getUint16(1, true),
    reason: refusalReason(number) ?? `reason-${number}`,
  };
}

/** `the escrow timeout is not after the timestamp (escrow, byte 93)`, with the sizes or the type that it is about. */
export function describeDetail(place: RefusalPlace, subject: Subject): string {
  const words = wordsOf(place.reason) ?? `${place.reason}, which this program does not know`;
  const size = sizeOf(place, subject);
  const sizes = size === undefined ? '' : `: ${size.actual} bytes, at most ${size.allowed}`;
  return `${words}${sizes}${describeType(place, subject)} (${fieldName(place.field)}, byte ${place.offset})`;
}

/** The field's name in interface.md's words, or `field N` beyond them. */
export function fieldName(field: number): string {
  return FIELD_NAMES[field] ?? `field ${field}`;
}

/** How large what was refused as too large is, and how large it may be; undefined for other refusals. */
export function sizeOf({ reason, offset }: RefusalPlace, subject: Subject): SizeLimit | undefined {
  const { transaction, linked, message } = subject;
  switch (reason) {
    case 'tx-too-large':
      return limit(transaction?.length, MAX_TRANSACTION);
    case 'linked-too-large':
      return limit(linked?.length, MAX_LINKED);
    case 'message-length':
      return limit(message?.length, MAX_SIGN_MESSAGE);
    // These two point at the length that is too large.
    case 'instruction-too-long':
      return limit(readU32(transaction, offset), MAX_INSTRUCTION);
    case 'message-too-long':
      return limit(readU32(transaction, offset), MAX_MESSAGE);
    default:
      return undefined;
  }
}

/** Only a size above its limit explains the refusal. */
function limit(actual: number | undefined, allowed: number): SizeLimit | undefined {
  return actual !== undefined && actual > allowed ? { actual, allowed } : undefined;
}

function describeType({ reason }: RefusalPlace, { transaction }: Subject): string {
  const type = reason === 'type-unsupported' ? readU32(transaction, 0) : undefined;
  if (type === undefined) {
    return '';
  }
  return `: ${type}, ${TRANSACTION_TYPE_NAMES.get(type) ?? 'no type of this chain'}`;
}

function readU32(bytes: Uint8Array | undefined, offset: number): number | undefined {
  if (bytes === undefined || offset + 4 > bytes.length) {
    return undefined;
  }
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(offset, true);
}

function wordsOf(reason: string): string | undefined {
  return new Map<string, string>(Object.entries(REFUSAL_WORDS)).get(reason);
}
