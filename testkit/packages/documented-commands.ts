// The commands of README, CONTRIBUTING and docs/boards that make test-bare-machine runs. bare-machine.json
// lists the omitted commands with reasons.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readText, root } from '../repository/repository.js';
import { samplesOf } from './samples.js';

interface List {
  /** Commands, or their beginnings, that run in separate terminals, which stay open. */
  inTerminals: string[];
  /** Commands, or their beginnings, that cannot run there, with the reason. */
  notTyped: Record<string, string>;
}

const list = JSON.parse(readText('test/packages/bare-machine.json')) as List;
const GENERAL = ['README.md', 'CONTRIBUTING.md'];
const INSTALL = 'make system-deps';

/** Returns what a pattern finds in a document. Throws if the document was reworded. */
function findIn(document: string, pattern: RegExp): RegExpExecArray {
  const found = pattern.exec(readText(document));
  if (!found) throw new Error(`${document} has no text ${pattern}`);
  return found;
}

/** Returns the README's sentence that `make demo` prints without a Node that is new enough. */
export function nodeSentence(): string {
  return findIn('README.md', /You need make and Node ≥ \d+(?:\.\d+)*/)[0];
}

/**
 * Returns the commands of a document: the lines of its code blocks, then those in its sentences and tables.
 */
function commandsOf(document: string): string[] {
  const blocks = samplesOf(document).filter(({ language }) => language === '' || language === 'sh');
  const lines = blocks.flatMap(({ source }) => source.replaceAll(/ *\\\n */g, ' ').split('\n'));
  const typed = lines.map(line => line.replace(/ +# .*/, '').trim());
  const spans = readText(document).matchAll(/`((?:make|npm|npx|node|sudo)\s[^`]+)`/g);
  // A command in a sentence may continue on the next line.
  const inWords = [...spans].map(match => match[1]!.replaceAll(/\s+/g, ' '));
  return [...typed.filter(line => /^[a-z]/.test(line)), ...inWords];
}

/** Returns whether a command equals or begins with an entry of a list. */
function isOneOf(command: string, starts: readonly string[]): boolean {
  return starts.some(start => command === start || command.startsWith(`${start} `));
}

/** Returns whether a command runs in a separate terminal, which stays open. */
export function isInTerminal(command: string): boolean {
  return isOneOf(command, list.inTerminals);
}

/**
 * Returns the commands in groups; those that need other programs according to CONTRIBUTING come last, after
 * `make system-deps`. Throws if an entry of the list no longer occurs in a document.
 */
export function commandGroups(): string[][] {
  const rows = readText('CONTRIBUTING.md').matchAll(/^\| `((?:make|npm) [^`]+)` \|.*\| [^|]+ \|$/gm);
  const needy = [...rows].map(([, command]) => command!);
  const general = [...new Set(GENERAL.flatMap(commandsOf))].filter(command => command !== INSTALL);
  const isLast = (command: string) => isOneOf(command, needy);
  const pages = readdirSync(join(root, 'docs/boards')).filter(name => name.endsWith('.md'));
  const boards = pages.sort().map(name => commandsOf(`docs/boards/${name}`));
  const groups = [general.filter(command => !isLast(command)), [INSTALL], ...boards, general.filter(isLast)];
  const omitted = Object.keys(list.notTyped);
  const lost = [...omitted, ...list.inTerminals].filter(
    start => !groups.flat().some(command => isOneOf(command, [start])),
  );
  if (lost.length > 0) throw new Error(`no document says any more: ${lost.join('; ')}`);
  return groups.map(group => group.filter(command => !isOneOf(command, omitted)));
}
