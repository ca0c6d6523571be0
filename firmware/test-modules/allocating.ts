// What firmware must not do: this module needs an allocator, and the build has to notice.
class Pair {
  first: i32 = 1;
  second: i32 = 2;
}

let pair: Pair | null = null;

export function allocate(): i32 {
  pair = new Pair();
  return pair!.first;
}
