/**
 * The kind of ZBC accounts. An account of any other kind is shown with its kind's name, and cannot sign here.
 */
export const KIND_ZBC = 0;
/** The marker that stands for "no account". */
export const KIND_NONE = 2;
/** The first number that is not a kind. */
const KINDS: u32 = 17;

// Payload length of each kind in bytes, indexed by kind (docs/TRANSACTION.md#accounts).
const PAYLOAD_LENGTHS: usize = memory.data<u8>([
  32, 20, 0, 32, 20, 20, 20, 20, 32, 32, 32, 32, 32, 28, 20, 20, 20,
]);

/** An account in a transaction; `payload` points into the parsed buffer. */
@unmanaged
export class Account {
  kind: u32;
  payload: usize;
  length: i32;
  /** The name of the account's contact, which was checked, and its number of characters; 0 if there is none. */
  name: usize;
  nameLength: i32;
}

/** Returns the payload length of a kind in bytes, or −1 if the kind is unknown. */
export function payloadLength(kind: u32): i32 {
  return kind < KINDS ? <i32>load<u8>(PAYLOAD_LENGTHS + kind) : -1;
}
