import { readFileSync } from 'node:fs';

/** Of package.json, which lies four folders above the compiled file. */
export function hostVersion(): string {
  const url = new URL('../../../../package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(url, 'utf8')) as { version: string };
  return version;
}
