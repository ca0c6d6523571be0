import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kind } from './catalogue.js';

/** Where the files of sessions are, under a directory of coverage. */
const SESSIONS = 'sessions';
const SUFFIX = '.jsonl';

/** What a test was the first time to reach, in the session that it ran in. */
export interface Finding {
  test: string;
  probes?: number[];
  seen?: [kind: Kind, name: string][];
}

/** The first line of a file: of which firmware the probes are. */
interface Header {
  firmware: string;
}

/**
 * A file that a process writes its findings to, one a line, at once: test tools end what they started without
 * a word.
 */
export class SessionFile {
  readonly #path: string;
  readonly #known = new Map<string, Set<string>>();

  /** `firmware` is the SHA-256 of the module without probes. Throws what the file system throws. */
  constructor(directory: string, firmware: string) {
    const sessions = join(directory, SESSIONS);
    mkdirSync(sessions, { recursive: true });
    this.#path = join(sessions, `${process.pid}-${randomBytes(6).toString('hex')}${SUFFIX}`);
    const header: Header = { firmware };
    appendFileSync(this.#path, `${JSON.stringify(header)}\n`);
  }

  addProbes(test: string, probes: readonly number[]): void {
    const fresh = probes.filter(probe => this.#isNew(test, `${probe}`));
    if (fresh.length > 0) this.#append({ test, probes: fresh });
  }

  addSeen(test: string, kind: Kind, name: string): void {
    if (this.#isNew(test, `${kind}:${name}`)) this.#append({ test, seen: [[kind, name]] });
  }

  #isNew(test: string, thing: string): boolean {
    const known = this.#known.get(test) ?? new Set();
    this.#known.set(test, known);
    if (known.has(thing)) return false;
    known.add(thing);
    return true;
  }

  #append(finding: Finding): void {
    appendFileSync(this.#path, `${JSON.stringify(finding)}\n`);
  }
}

/** The findings of every session under a directory; of those of another firmware, how many there were. */
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
    if ((parseLine(header ?? '') as Header | undefined)?.firmware !== firmware) foreign++;
    else findings.push(...lines.map(parseLine).filter(line => line !== undefined));
  }
  return { findings, foreign };
}

/** Undefined for a line that a process was ended in the middle of. */
function parseLine(line: string): Finding | undefined {
  try {
    return JSON.parse(line) as Finding;
  } catch {
    return undefined;
  }
}
