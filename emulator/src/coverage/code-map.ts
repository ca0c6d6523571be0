import type { Instrumented } from './instrument.js';
import { type SourceLine, SourceLines, type SourceMap } from './source-map.js';

/** What is counted: not the language's library, and not the constants of the protocol. */
const COUNTED = 'firmware/assembly/';

/** A place where the code goes two ways or more. */
export interface Branch extends SourceLine {
  /** The probe of each way. */
  probes: number[];
}

/** Which probes speak for which lines and branches of the AssemblyScript sources. */
export interface CodeMap {
  /** A line is reached when one of its probes is. */
  lines: (SourceLine & { probes: number[] })[];
  branches: Branch[];
}

/** Sorted by source and line. */
export function mapCode({ instructions, decisions }: Instrumented, map: SourceMap): CodeMap {
  const lines = new SourceLines(map);
  const counted = (offset: number): SourceLine | undefined => {
    const at = lines.at(offset);
    return at?.source.startsWith(COUNTED) ? at : undefined;
  };
  const probes = new Map<string, SourceLine & { probes: Set<number> }>();
  for (const { offset, probe } of instructions) {
    const at = counted(offset);
    if (!at) continue;
    const key = `${at.source}:${at.line}`;
    const known = probes.get(key) ?? { ...at, probes: new Set() };
    known.probes.add(probe);
    probes.set(key, known);
  }
  const branches = decisions.flatMap(({ offset, probe, ways }): Branch[] => {
    const at = counted(offset);
    return at ? [{ ...at, probes: Array.from({ length: ways }, (_, way) => probe + way) }] : [];
  });
  return {
    lines: [...probes.values()].map(line => ({ ...line, probes: [...line.probes] })).sort(bySource),
    branches: branches.sort(bySource),
  };
}

function bySource(a: SourceLine, b: SourceLine): number {
  if (a.source !== b.source) return a.source < b.source ? -1 : 1;
  return a.line - b.line;
}
