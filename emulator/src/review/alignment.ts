/** Two aligned entries; one is undefined if only the other list has an entry. */
export type AlignedPair<Left, Right> =
  | readonly [expected: Left, shown: Right]
  | readonly [expected: Left, shown: undefined]
  | readonly [expected: undefined, shown: Right];

/**
 * Aligns two lists at the least total cost. Each pair costs `pairCost`, where Infinity forbids the pair, and
 * each unpaired entry costs 1.
 */
export function align<Left extends object, Right extends object>(
  expected: readonly Left[],
  shown: readonly Right[],
  pairCost: (expected: Left, shown: Right) => number,
): AlignedPair<Left, Right>[] {
  const rows: AlignedPair<Left, Right>[] = [];
  for (const [at, left] of expected.entries()) {
    const right = shown[at];
    if (!right || pairCost(left, right) !== 0) break;
    rows.push([left, right]);
  }
  // Pairing equal beginnings always has the least cost, and most lists are equal up to their end.
  return [...rows, ...alignRest(expected.slice(rows.length), shown.slice(rows.length), pairCost)];
}

function alignRest<Left extends object, Right extends object>(
  expected: readonly Left[],
  shown: readonly Right[],
  pairCost: (expected: Left, shown: Right) => number,
): AlignedPair<Left, Right>[] {
  const pairs = expected.map(left => shown.map(right => pairCost(left, right)));
  const costs = addCosts(pairs, expected.length, shown.length);
  const cost = (i: number, j: number) => costs[i]?.[j] ?? Number.POSITIVE_INFINITY;
  const rows: AlignedPair<Left, Right>[] = [];
  for (let i = 0, j = 0; i < expected.length || j < shown.length; ) {
    const [left, right] = [expected[i], shown[j]];
    if (left && right && cost(i, j) === cost(i + 1, j + 1) + pairs[i]![j]!) {
      rows.push([left, right]);
      i++;
      j++;
    } else if (left && cost(i, j) === cost(i + 1, j) + 1) {
      rows.push([left, undefined]);
      i++;
    } else {
      rows.push([undefined, right!]);
      j++;
    }
  }
  return rows;
}

/** Entry `[i][j]` is the least cost for the entries from i and from j on. */
function addCosts(pairs: readonly number[][], lefts: number, rights: number): number[][] {
  const costs = Array.from({ length: lefts + 1 }, (_, i) =>
    Array.from({ length: rights + 1 }, (_, j) => lefts - i + rights - j),
  );
  for (let i = lefts - 1; i >= 0; i--) {
    for (let j = rights - 1; j >= 0; j--) {
      const pair = costs[i + 1]![j + 1]! + pairs[i]![j]!;
      costs[i]![j] = Math.min(pair, costs[i + 1]![j]! + 1, costs[i]![j + 1]! + 1);
    }
  }
  return costs;
}
