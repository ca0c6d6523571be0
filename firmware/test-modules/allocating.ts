// A module that needs an allocator, which the build must reject in firmware.
class Pair {
  first: i32 = 1;
  second: i32 = 2;
}

let pair: Pair | null = null;

export function allocate(): i32 {
  pair = new Pair();
  return pair!.first;
}
