import { KINDS, type Kind, knownThings } from './catalogue.js';
import type { CodeMap } from './code-map.js';
import type { Finding } from './session-file.js';

/** The number of tests that reached each line and branch of a source. */
export interface SourceTally {
  source: string;
  lines: { line: number; tests: number }[];
  /** `tests` has the number of tests that reached each branch of a decision. */
  branches: { line: number; tests: number[] }[];
}

/** An element of the protocol, and the tests that saw it. */
export interface ThingTally {
  kind: Kind;
  name: string;
  tests: string[];
  /** Whether the protocol defines the element. A correct device shows no other elements. */
  known: boolean;
}

/** The combined coverage of all sessions. */
export interface Tally {
  sources: SourceTally[];
  things: ThingTally[];
  tests: string[];
}

/** The number of reached items, and of all items. */
export interface Ratio {
  reached: number;
  all: number;
}

export const percentOf = ({ reached, all }: Ratio): string => `${((100 * reached) / all).toFixed(1)} %`;

/** The combined coverage of a directory's sessions. */
export interface CoverageSummary {
  /** Lines of the AssemblyScript sources. */
  lines: Ratio;
  /** Branches; each decision has two or more. */
  branches: Ratio;
  /** Titles, decisions, menu pages, refusal reasons and status words of the protocol. */
  things: Ratio;
  /** Elements that no test saw, such as `title: Escrow sender`. */
  unseen: string[];
  /** Names of tests, or of sessions if the client does not report its tests. */
  tests: string[];
  /** Number of sessions of another firmware, which were left out. */
  foreign: number;
  /** Paths of the written files: `lcov.info`, `screens.html`, `screens.json`, `screens.md`. */
  files: string[];
}

/** Combines the findings of sessions. */
export function tally(findings: readonly Finding[], map: CodeMap): Tally {
  const testsOfProbes = new Map<number, Set<string>>();
  const testsOfThings = new Map<string, Set<string>>();
  for (const { test, probes = [], seen = [] } of findings) {
    for (const probe of probes) addTo(testsOfProbes, probe, test);
    for (const thing of seen) addTo(testsOfThings, thing.join(':'), test);
  }
  return {
    sources: tallySources(map, testsOfProbes),
    things: tallyThings(findings, testsOfThings),
    tests: [...new Set(findings.map(({ test }) => test))].sort(),
  };
}

function addTo<Key>(sets: Map<Key, Set<string>>, key: Key, test: string): void {
  const set = sets.get(key);
  if (set) set.add(test);
  else sets.set(key, new Set([test]));
}

function tallySources(
  { lines, branches }: CodeMap,
  reached: ReadonlyMap<number, Set<string>>,
): SourceTally[] {
  const count = (probes: readonly number[]) =>
    new Set(probes.flatMap(probe => [...(reached.get(probe) ?? [])])).size;
  const sources = new Map<string, SourceTally>();
  for (const { source, line, probes } of lines) {
    const known = sources.get(source) ?? { source, lines: [], branches: [] };
    known.lines.push({ line, tests: count(probes) });
    sources.set(source, known);
  }
  for (const { source, line, ways } of branches) {
    sources.get(source)?.branches.push({ line, tests: ways.map(count) });
  }
  return [...sources.values()];
}

function tallyThings(findings: readonly Finding[], tests: ReadonlyMap<string, Set<string>>): ThingTally[] {
  const known = knownThings();
  const row = (kind: Kind, name: string): ThingTally => ({
    kind,
    name,
    tests: [...(tests.get(`${kind}:${name}`) ?? [])].sort(),
    known: known[kind].includes(name),
  });
  return KINDS.flatMap(kind => {
    const seen = findings.flatMap(({ seen = [] }) => seen.filter(([other]) => other === kind));
    const names = new Set([...known[kind], ...seen.map(([, name]) => name)]);
    return [...names].map(name => row(kind, name));
  });
}
