const LINE_FEED: u32 = 0x0a;

/**
 * Returns the number of leading bytes that are text: 0x20 to 0x7E and line feed
 * (docs/TRANSACTION.md#text-and-binary).
 */
export function textLength(pointer: usize, length: i32): i32 {
  for (let i = 0; i < length; i++) {
    const byte: u32 = load<u8>(pointer + i);
    if (byte !== LINE_FEED && (byte < 0x20 || byte > 0x7e)) return i;
  }
  return length;
}
