import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readText, root } from '../repository/repository.js';
import { PACKAGES } from './tarballs.js';

/** A block of code in a document. */
export interface Sample {
  /** The document and the line of the block. */
  at: string;
  /** Language of the block; may be empty. */
  language: string;
  source: string;
}

const FENCE = /^( *)```(\w*)\n([\s\S]*?)^\1```$/gm;

/** Returns the documents that users read: the READMEs of the repository and of each package, and docs/. */
export function userDocuments(): string[] {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.md'))
    .map(name => join('docs', name));
  return ['README.md', ...PACKAGES.map(name => `${name}/README.md`), ...docs.sort()];
}

export function samplesOf(document: string): Sample[] {
  const text = readText(document);
  return [...text.matchAll(FENCE)].map(({ index, 1: indentation, 2: language, 3: source }) => ({
    at: `${document}:${text.slice(0, index).split('\n').length}`,
    language: language!,
    // The indentation of a block in a list is removed.
    source: source!.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''),
  }));
}
