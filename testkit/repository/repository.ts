import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root directory. */
export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Reads a text file of the repository. */
export function readText(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** The directories of the packages, in the order in which they are built. */
export const packages = (JSON.parse(readText('package.json')) as { workspaces: string[] }).workspaces;
