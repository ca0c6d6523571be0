import type { Decision, Instrumented } from './instrument.js';
import { type SourceLine, SourceLines, type SourceMap, type SourcePlace } from './source-map.js';

/** Only sources in this directory count, and not AssemblyScript's library or the constants of `protocol/`. */
const COUNTED = 'firmware/assembly/';

/** A place where the code branches. */
interface Branch extends SourceLine {
  /** The probes of each branch: one for each copy that the compiler made of the code. */
  ways: number[][];
}

/** Maps probes to lines and branches of the AssemblyScript sources. */
export interface CodeMap {
  /** A line is reached if one of its probes is reached. */
  lines: (SourceLine & { probes: number[] })[];
  branches: Branch[];
}

/** Maps the probes of an instrumented module. Lines and branches are sorted by source and line. */
export function mapCode({ instructions, decisions }: Instrumented, map: SourceMap): CodeMap {
  const places = new SourceLines(map);
  const placeOf = (offset: number): SourcePlace | undefined => {
    const at = places.at(offset);
    return at?.source.startsWith(COUNTED) ? at : undefined;
  };
  const lines = new Map<string, SourceLine & { probes: Set<number> }>();
  /** For each probe, the source line of the first instruction after it. */
  const begins = new Map<number, string>();
  for (const { offset, probe } of instructions) {
    const at = placeOf(offset);
    if (!at) continue;
    const key = `${at.source}:${at.line}`;
    if (!begins.has(probe)) begins.set(probe, key);
    const known = lines.get(key);
    if (known) known.probes.add(probe);
    else lines.set(key, { source: at.source, line: at.line, probes: new Set([probe]) });
  }
  return {
    lines: [...lines.values()].map(line => ({ ...line, probes: [...line.probes] })).sort(bySource),
    branches: mapBranches(decisions, placeOf, begins).sort(bySource),
  };
}

/**
 * Copies of a decision in inlined functions count as one decision if their branches continue at the same
 * source lines. Otherwise they count separately, because their branches may be in a different order.
 */
function mapBranches(
  decisions: readonly Decision[],
  placeOf: (offset: number) => SourcePlace | undefined,
  begins: ReadonlyMap<number, string>,
): Branch[] {
  const branches = new Map<string, Branch>();
  for (const { offset, probe, ways, opcode } of decisions) {
    const at = placeOf(offset);
    if (!at) continue;
    const probes = Array.from({ length: ways }, (_, way) => probe + way);
    const { source, line, column } = at;
    const key = [source, line, column, opcode, ...probes.map(way => begins.get(way))].join();
    const known = branches.get(key);
    if (known) for (const [way, its] of probes.entries()) known.ways[way]!.push(its);
    else branches.set(key, { source, line, ways: probes.map(way => [way]) });
  }
  return [...branches.values()];
}

function bySource(a: SourceLine, b: SourceLine): number {
  if (a.source !== b.source) return a.source < b.source ? -1 : 1;
  return a.line - b.line;
}
