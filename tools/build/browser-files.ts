import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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

/**
 * Prints the total size of the files, each compressed with gzip. Fails the build if it is above `max` bytes.
 */
export function checkSize(what: string, directory: string, names: readonly string[], max: number): void {
  const sizes = names.map(name => gzipSync(readFileSync(join(directory, name)), { level: 9 }).length);
  const size = sizes.reduce((sum, bytes) => sum + bytes, 0);
  console.log(`${what}: ${size} bytes with gzip`);
  if (size > max) {
    console.error(`${what}: larger than the limit of ${max} bytes`);
    process.exitCode = 1;
  }
}
