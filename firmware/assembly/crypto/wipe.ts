/** Writes zeros over `length` bytes at `pointer`. */
export function wipe(pointer: usize, length: i32): void {
  memory.fill(pointer, 0, length);
}
