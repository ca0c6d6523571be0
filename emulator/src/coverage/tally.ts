import { KINDS, type Kind, knownThings } from './catalogue.js';
import type { CodeMap } from './code-map.js';
import type { Finding } from './session-file.js';

/** How often a source's lines and branches were reached: by how many tests. */
export interface SourceTally {
  source: string;
  lines: { line: number; tests: number }[];
  /** `tests` of each way that the code can go there. */
  branches: { line: number; tests: number[] }[];
}

/** Something that the protocol knows, and the tests that saw it. */
export interface ThingTally {
  kind: Kind;
  name: string;
  tests: string[];
  /** Whether the protocol knows it: a device shows nothing else. */
  known: boolean;
}

/** What all sessions reached together. */
export interface Tally {
  sources: SourceTally[];
  things: ThingTally[];
  tests: string[];
}

/** How many of all. */
export interface Ratio {
  reached: number;
  all: number;
}

export const percentOf = ({ reached, all }: Ratio): string => `${((100 * reached) / all).toFixed(1)} %`;

/** What the sessions of a directory reached together. */
export interface CoverageSummary {
  /** Lines of the AssemblyScript sources. */
  lines: Ratio;
  /** Ways that the code can go, two or more at each decision. */
  branches: Ratio;
  /** Titles, decisions, menu pages, refusal reasons and status words of the protocol. */
  things: Ratio;
  /** Those of them that no test saw, such as `title: Escrow sender`. */
  unseen: string[];
  /** Names of tests, or of sessions where a client does not tell its tests. */
  tests: string[];
  /** Sessions of another firmware, which were left out. */
  foreign: number;
  /** Paths of the files that were written: `lcov.info`, `screens.html`, `screens.json`, `screens.md`. */
  files: string[];
}

/** Adds up what sessions found. */
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
