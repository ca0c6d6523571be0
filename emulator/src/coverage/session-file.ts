import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kind } from './catalogue.js';

/** Subdirectory of a coverage directory with the sessions' files. */
const SESSIONS = 'sessions';
const SUFFIX = '.jsonl';

/** Probes and elements of the protocol that a test reached for the first time. */
export interface Finding {
  test: string;
  probes?: number[];
  seen?: [kind: Kind, name: string][];
}

/** The first line of a file, which identifies the firmware to which the numbers of the probes belong. */
interface Header {
  firmware: string;
}

interface Known {
  /** A byte for each probe. */
  probes: Uint8Array;
  things: Set<string>;
}

/**
 * The file of a process's findings. Each line is written at once, because test tools kill their child
 * processes.
 */
export class SessionFile {
  readonly #path: string;
  readonly #known = new Map<string, Known>();

  /** `firmware` is the SHA-256 of the module without probes. Throws errors of the file system. */
  constructor(directory: string, firmware: string) {
    const sessions = join(directory, SESSIONS);
    mkdirSync(sessions, { recursive: true });
    this.#path = join(sessions, `${process.pid}-${randomBytes(6).toString('hex')}${SUFFIX}`);
    const header: Header = { firmware };
    appendFileSync(this.#path, `${JSON.stringify(header)}\n`);
  }

  /** `area` has one byte for each probe, which is not 0 if execution has passed the probe. */
  addProbes(test: string, area: Uint8Array): void {
    const { probes } = this.#of(test, area.length);
    const fresh: number[] = [];
    // Four probes are compared at a time, because this runs after each call, and most calls pass few probes.
    const words = new Uint32Array(area.buffer, area.byteOffset, area.length >> 2);
    for (let word = 0; word < words.length; word++) {
      if (words[word] !== 0) takeNew(area, 4 * word, 4 * word + 4, probes, fresh);
    }
    takeNew(area, 4 * words.length, area.length, probes, fresh);
    if (fresh.length > 0) this.#append({ test, probes: fresh });
  }

  addSeen(test: string, kind: Kind, name: string): void {
    const { things } = this.#of(test, 0);
    const thing = `${kind}:${name}`;
    if (things.has(thing)) return;
    things.add(thing);
    this.#append({ test, seen: [[kind, name]] });
  }

  /** The probes and elements that are already recorded for a test. */
  #of(test: string, probes: number): Known {
    const known = this.#known.get(test) ?? { probes: new Uint8Array(), things: new Set() };
    if (known.probes.length < probes) known.probes = new Uint8Array(probes);
    this.#known.set(test, known);
    return known;
  }

  #append(finding: Finding): void {
    appendFileSync(this.#path, `${JSON.stringify(finding)}\n`);
  }
}

/** Adds new probes to `fresh`, and marks them as known. */
function takeNew(area: Uint8Array, from: number, to: number, known: Uint8Array, fresh: number[]): void {
  for (let probe = from; probe < to; probe++) {
    if (area[probe] === 0 || known[probe] !== 0) continue;
    known[probe] = 1;
    fresh.push(probe);
  }
}

/** The findings of every session under a directory, and the number of sessions of another firmware. */
export async function readSessions(
  directory: string,
  firmware: string,
): Promise<{ findings: Finding[]; foreign: number }> {
  const sessions = join(directory, SESSIONS);
  const names = (await readdir(sessions)).filter(name => name.endsWith(SUFFIX)).sort();
  const findings: Finding[] = [];
  let foreign = 0;
  for (const name of names) {
    const [header, ...lines] = (await readFile(join(sessions, name), 'utf8')).split('\n');
    if ((parseLine(header ?? '') as Header | undefined | null)?.firmware !== firmware) foreign++;
    else for (const line of lines.map(parseLine)) if (isFinding(line)) findings.push(line);
  }
  return { findings, foreign };
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
  const { test, probes = [], seen = [] } = Object(json) as Partial<Record<string, unknown>>;
  const isThing = (thing: unknown) =>
    Array.isArray(thing) && thing.length === 2 && thing.every(part => typeof part === 'string');
  return typeof test === 'string' && Array.isArray(probes) && Array.isArray(seen) && seen.every(isThing);
}
