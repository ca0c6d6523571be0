import { readFileSync } from 'node:fs';

/** The version in package.json, in the directory above this file's: `dist/` when compiled. */
export function packageVersion(): string {
  const url = new URL('../package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(url, 'utf8')) as { version: string };
  return version;
}
