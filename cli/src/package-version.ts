import { readFileSync } from 'node:fs';

/**
 * The version in package.json, which is in the directory above that of this file, both in src/ and in dist/.
 */
export function packageVersion(): string {
  const url = new URL('../package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(url, 'utf8')) as { version: string };
  return version;
}
