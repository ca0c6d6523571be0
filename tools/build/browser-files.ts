import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { BuildOptions } from 'esbuild';

/** Bundling options for scripts and styles of pages. */
export const BROWSER_BUNDLE = {
  bundle: true,
  minify: true,
  platform: 'browser',
  format: 'esm',
  target: 'es2022',
  // The pages declare this charset, so no character needs an escape.
  charset: 'utf8',
  logLevel: 'warning',
} satisfies BuildOptions;

/** Sizes in bytes in the last release, or today's before the first: of pages with gzip, of packages minified. */
const SIZES: Record<string, number> = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../../tools/build/sizes.json', import.meta.url)), 'utf8'),
);

/** The greatest allowed size in bytes of a page or package: a tenth above the size in the last release. */
export function greatestSize(what: string): number {
  const last = SIZES[what];
  if (last === undefined) throw new Error(`tools/build/sizes.json has no size of ${what}`);
  return Math.floor(1.1 * last);
}

/** Prints the total size of the files, each compressed with gzip. Fails the build if it has grown too much. */
export function checkSize(what: string, directory: string, names: readonly string[]): void {
  const sizes = names.map(name => gzipSync(readFileSync(join(directory, name)), { level: 9 }).length);
  const size = sizes.reduce((sum, bytes) => sum + bytes, 0);
  const greatest = greatestSize(what);
  console.log(`${what}: ${size} bytes with gzip, at most ${greatest}`);
  if (size > greatest) {
    console.error(`${what}: more than a tenth larger than in the last release`);
    process.exitCode = 1;
  }
}
