import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmulatorError } from '../errors.js';
import { writeWhole } from '../write-whole.js';
import { KINDS, knownThings } from './catalogue.js';
import { type Finding, SESSIONS } from './recorder.js';

/** An element of the protocol, and the tests that saw it. */
interface Thing {
  kind: string;
  name: string;
  tests: string[];
  /** False if the protocol does not define the element. A correct device shows no such elements. */
  known?: false;
}

/** The combined coverage of a directory's sessions. */
export interface CoverageSummary {
  /** How many titles, decisions, menu pages, refusal reasons and status words of the protocol were seen. */
  things: { reached: number; all: number };
  /** Elements that no test saw, such as `title: Escrow sender`. */
  unseen: string[];
  /** Names of tests, or of sessions if the client does not report its tests. */
  tests: string[];
  /** Paths of the written files: `screens.json`, `screens.md`. */
  files: string[];
}

/**
 * Reports the elements of the protocol that the emulators of all processes recorded in a directory
 * (EmulatorOptions.coverage). Writes into the directory: `screens.json`, with each element and the tests that
 * saw it; and `screens.md`, a summary for a pull request. May be called while emulators run. Throws
 * BAD_COVERAGE.
 */
export async function writeCoverageReport(directory: string): Promise<CoverageSummary> {
  const findings = await readSessions(directory).catch((error: Error) => {
    throw new EmulatorError('BAD_COVERAGE', `no coverage in ${directory}: ${error.message}`);
  });
  if (findings.length === 0) throw new EmulatorError('BAD_COVERAGE', `no sessions in ${directory}`);
  const things = combine(findings);
  const known = things.filter(thing => thing.known === undefined);
  const unseen = known.filter(({ tests }) => tests.length === 0).map(({ kind, name }) => `${kind}: ${name}`);
  const summary: CoverageSummary = {
    things: { reached: known.length - unseen.length, all: known.length },
    unseen,
    tests: [...new Set(findings.map(({ test }) => test))].sort(),
    files: ['screens.json', 'screens.md'].map(name => join(directory, name)),
  };
  const { files, ...figures } = summary;
  await writeWhole(files[0]!, `${JSON.stringify({ ...figures, elements: things }, undefined, 1)}\n`);
  await writeWhole(files[1]!, renderMarkdown(summary));
  return summary;
}

/**
 * Returns what fewer tests see now than in the `screens.json` of an earlier run: the names of elements that
 * no test sees any more. Throws BAD_COVERAGE if the file cannot be read.
 */
export async function compareWithBaseline({ unseen }: CoverageSummary, path: string): Promise<string[]> {
  const before = await readFile(path, 'utf8').then(parseLine, (error: Error) => {
    throw new EmulatorError('BAD_COVERAGE', `the baseline ${path} cannot be read: ${error.message}`);
  });
  const earlier = (Object(before) as Partial<CoverageSummary>).unseen;
  if (!Array.isArray(earlier)) {
    throw new EmulatorError(
      'BAD_COVERAGE',
      `the baseline ${path} is not the screens.json of a coverage report`,
    );
  }
  return unseen.filter(name => !earlier.includes(name)).map(name => `no longer seen: ${name}`);
}

async function readSessions(directory: string): Promise<Finding[]> {
  const sessions = join(directory, SESSIONS);
  const names = (await readdir(sessions)).filter(name => name.endsWith('.jsonl')).sort();
  const texts = await Promise.all(names.map(name => readFile(join(sessions, name), 'utf8')));
  return texts.flatMap(text => text.split('\n').map(parseLine)).filter(isFinding);
}

/** Returns undefined for a line that a killed process left unfinished. */
function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Checks the format, because another program may have written the file. */
function isFinding(json: unknown): json is Finding {
  const { test, kind, name } = Object(json) as Partial<Record<string, unknown>>;
  return [test, kind, name].every(part => typeof part === 'string');
}

function combine(findings: readonly Finding[]): Thing[] {
  const known = knownThings();
  return KINDS.flatMap(kind => {
    const seen = findings.filter(finding => finding.kind === kind);
    const names = new Set([...known[kind], ...seen.map(({ name }) => name)]);
    return [...names].map((name): Thing => {
      const tests = new Set(seen.filter(finding => finding.name === name).map(({ test }) => test));
      return { kind, name, tests: [...tests].sort(), ...(!known[kind].includes(name) && { known: false }) };
    });
  });
}

function renderMarkdown({ tests, things: { reached, all }, unseen }: CoverageSummary): string {
  return [
    "### Coverage of the signer's screens",
    '',
    `${tests.length} tests or sessions saw ${reached} of ${all} elements of the protocol.`,
    ...(unseen.length === 0 ? [] : ['', 'No test saw:', '', ...unseen.map(name => `- ${name}`)]),
    '',
  ].join('\n');
}
