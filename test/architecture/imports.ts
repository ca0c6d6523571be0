import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../../testkit/repository/repository.js';

interface Import {
  /** Path of the importing file from the repository's root. */
  file: string;
  /** The imported specifier. */
  name: string;
  /** The specifier as a path from the repository's root if it is relative, otherwise ''. */
  path: string;
}

const STATIC_IMPORT = /^(?:import|export)\b(?:[^'"`;]*\bfrom\b)?\s*['"]([^'"]+)['"]/gm;
/** A multi-line template quotes source of another file, whose imports do not count. */
const QUOTED_SOURCE = /(?<=[\s([])`[^`]*\n[^`]*`/g;
const DYNAMIC_IMPORT = /\bimport\s*\(\s*['"`]([^'"`]+)['"`]/g;

/** Every import under a directory, including dynamic ones and those of types. */
export function importsUnder(directory: string): Import[] {
  const files = readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' });
  return files
    .filter(name => /\.[mc]?[jt]s$/.test(name) && !/(^|\/)(dist|node_modules)\//.test(name))
    .flatMap(name => importsOf(join(directory, name)));
}

function importsOf(file: string): Import[] {
  const source = readFileSync(join(root, file), 'utf8').replaceAll(QUOTED_SOURCE, '');
  const matches = [...source.matchAll(STATIC_IMPORT), ...source.matchAll(DYNAMIC_IMPORT)];
  return matches.map(([, name = '']) => ({
    file,
    name,
    path: name.startsWith('.') ? join(dirname(file), name) : '',
  }));
}

/** The imports under a directory that `allowed` rejects, as text. */
export function strangers(directory: string, allowed: (found: Import) => boolean): string[] {
  return importsUnder(directory)
    .filter(found => !allowed(found))
    .map(({ file, name }) => `${file} imports ${name}`);
}

export function isUnder(path: string, ...directories: string[]): boolean {
  return directories.some(directory => path.startsWith(`${directory}/`));
}
