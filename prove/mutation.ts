import { readFileSync, writeFileSync } from 'node:fs';
import { replaceOnce } from '../tools/image/replace-once.js';

/**
 * Mutations of sources, by file and by name. A name describes the fault of the mutated program as a sentence
 * without its subject. A mutation is a text that occurs exactly once in the file, its replacement, and
 * further data for the proof that uses the list. If a mutation is only a text, the text is deleted.
 */
export type Mutations = Readonly<
  Record<
    string,
    Readonly<Record<string, string | readonly [find: string, replace: string, ...more: string[]]>>
  >
>;

export interface Mutation {
  file: string;
  name: string;
  find: string;
  replace: string;
  more: readonly string[];
}

export function listMutations(mutations: Mutations): Mutation[] {
  return Object.entries(mutations).flatMap(([file, byName]) =>
    Object.entries(byName).map(([name, texts]) => {
      const [find, replace, ...more] = typeof texts === 'string' ? [texts, ''] : texts;
      return { file, name, find, replace, more };
    }),
  );
}

/** Changes the file at `path`; throws unless `find` occurs exactly once. */
export function plant(path: string, { find, replace }: Pick<Mutation, 'find' | 'replace'>): void {
  writeFileSync(path, replaceOnce(readFileSync(path, 'utf8'), find, replace));
}
