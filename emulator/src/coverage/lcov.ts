import type { SourceTally } from './tally.js';

/** A tracefile of lcov: lines and branches, each with the number of tests that reached it. */
export function formatLcov(sources: readonly SourceTally[]): string {
  return sources.map(formatSource).join('');
}

function formatSource({ source, lines, branches }: SourceTally): string {
  const ways = branches.flatMap(({ line, tests }, block) =>
    // "-": the decision itself was never made.
    tests.map((count, way) => `BRDA:${line},${block},${way},${tests.some(Boolean) ? count : '-'}`),
  );
  const hits = branches.flatMap(({ tests }) => tests).filter(Boolean).length;
  return [
    'TN:',
    `SF:${source}`,
    ...ways,
    `BRF:${ways.length}`,
    `BRH:${hits}`,
    ...lines.map(({ line, tests }) => `DA:${line},${tests}`),
    `LF:${lines.length}`,
    `LH:${lines.filter(({ tests }) => tests > 0).length}`,
    'end_of_record\n',
  ].join('\n');
}
