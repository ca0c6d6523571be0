import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readText, root } from './repository.js';

const FENCE = /^(```+)[^\n]*\n[\s\S]*?^\1$/gm;

const SKIPPED = /^(?:node_modules|dist|\.git|\.zbc-signer)$/;

/** Returns the paths of all files of the repository, except installed and built files. */
export function repositoryFiles(directory = ''): string[] {
  const entries = readdirSync(join(root, directory), { withFileTypes: true });
  return entries
    .filter(({ name }) => !SKIPPED.test(name))
    .flatMap(entry => {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) return repositoryFiles(path);
      return entry.isFile() ? [path] : [];
    });
}

/** Returns the paths of all Markdown documents. */
export function documents(): string[] {
  return repositoryFiles().filter(path => path.endsWith('.md'));
}

/** Returns a document without its code blocks. */
export function prose(path: string): string {
  return readText(path).replaceAll(FENCE, '');
}

const anchorsOf = new Map<string, Set<string>>();

/** Returns the anchors of a document's headings, as GitHub forms them. The result is cached. */
export function anchors(path: string): Set<string> {
  const known = anchorsOf.get(path) ?? readAnchors(path);
  anchorsOf.set(path, known);
  return known;
}

function readAnchors(path: string): Set<string> {
  const found = new Set<string>();
  for (const [, heading] of prose(path).matchAll(/^#{1,6} (.+)$/gm)) {
    const slug = slugOf(heading!);
    const repeated = [...found].filter(other => other === slug || other.startsWith(`${slug}-`)).length;
    found.add(found.has(slug) ? `${slug}-${repeated}` : slug);
  }
  return found;
}

function slugOf(heading: string): string {
  const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
  return text.replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '').replaceAll(' ', '-');
}

/** Returns the cells of all table rows of a document. A `|` in a code span is written `\|`. */
export function tableRows(path: string): string[][] {
  return rowsOf(readText(path));
}

/** Returns the cells of all table rows of a text. */
export function rowsOf(text: string): string[][] {
  const lines = text.split('\n').filter(line => line.startsWith('|'));
  return lines.map(line =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map(cell => cell.trim()),
  );
}

/** Returns the text below a heading, with its subheadings. `heading` includes its `#` characters. */
export function sectionOf(path: string, heading: string): string {
  const level = heading.indexOf(' ');
  const [, rest] = readText(path).split(`\n${heading}\n`);
  if (rest === undefined) throw new Error(`${path} has no heading ${heading}`);
  return rest.split(new RegExp(`^#{1,${level}} `, 'm'))[0]!;
}
