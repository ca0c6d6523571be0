/** Letters to add, drop or change to come from one word to the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= to.length; at += 1) {
      const changed = row[at - 1]! + (letter === to[at - 1] ? 0 : 1);
      next.push(Math.min(changed, row[at]! + 1, next[at - 1]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}

/** The candidate that was most likely meant, or undefined when none is near. */
export function suggest(word: string, candidates: readonly string[]): string | undefined {
  const [best] = candidates
    .map(candidate => ({ candidate, steps: distance(word, candidate) }))
    .sort((one, other) => one.steps - other.steps);
  return best !== undefined && best.steps <= Math.max(1, word.length / 3) ? best.candidate : undefined;
}
