const START: u64 = 0x9e3779b97f4a7c15;
const FACTOR: u64 = 0xff51afd7ed558ccd;

/**
 * Returns a checksum of `length` bytes, where `length` is a multiple of 8. Each step is reversible, so a
 * change within one word always changes the checksum. The shift moves changes of high bits to low bits, which
 * the next multiplication spreads over the word.
 */
export function sumOf(from: usize, length: i32): u64 {
  let sum = START;
  for (let at = from; at < from + length; at += 8) {
    sum = (sum ^ load<u64>(at)) * FACTOR;
    sum ^= sum >> 32;
  }
  return sum;
}
