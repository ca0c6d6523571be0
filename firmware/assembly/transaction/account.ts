/** The kind of ZBC accounts. All other kinds are shown by name and never sign here. */
export const KIND_ZBC = 0;
/** The marker that stands for "no account". */
export const KIND_NONE = 2;
/** One above the last kind. */
const KINDS: u32 = 17;

// Payload length in bytes of each kind, by kind (docs/TRANSACTION.md#accounts).
const PAYLOAD_LENGTHS: usize = memory.data<u8>([
  32, 20, 0, 32, 20, 20, 20, 20, 32, 32, 32, 32, 32, 28, 20, 20, 20,
]);

/** An account in a transaction; `payload` points into the parsed buffer. */
@unmanaged
export class Account {
  kind: u32;
  payload: usize;
  length: i32;
}

/** Payload length in bytes of a kind, or −1 if the kind is unknown. */
export function payloadLength(kind: u32): i32 {
  return kind < KINDS ? <i32>load<u8>(PAYLOAD_LENGTHS + kind) : -1;
}
