const LEAST_MS = 0.25;
const CLASSES_PER_DOUBLING = 4;
/** From 0.25 ms to 65 seconds. */
export const DURATION_CLASSES = 18 * CLASSES_PER_DOUBLING;

/** The class of a duration: four to a doubling, so that a percentile is at most 19 % off. */
export function classOf(milliseconds: number): number {
  const exact = Math.floor(Math.log2(Math.max(milliseconds, LEAST_MS) / LEAST_MS) * CLASSES_PER_DOUBLING);
  return Math.min(exact, DURATION_CLASSES - 1);
}

/** The time in milliseconds within which a share of all were done; null if there were none. */
export function percentileOf(counts: ArrayLike<number>, share: number): number | null {
  const all = Array.from(counts);
  const rank = share * all.reduce((sum, count) => sum + count, 0);
  let before = 0;
  for (const [index, count] of all.entries()) {
    if (count > 0 && before + count >= rank) {
      return LEAST_MS * 2 ** ((index + (rank - before) / count) / CLASSES_PER_DOUBLING);
    }
    before += count;
  }
  return null;
}
