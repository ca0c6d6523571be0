// A module that allocates memory. A test checks that the build of firmware rejects it.
class Pair {
  first: i32 = 1;
  second: i32 = 2;
}

let pair: Pair | null = null;

export function allocate(): i32 {
  pair = new Pair();
  return pair!.first;
}
