import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { BuildOptions } from 'esbuild';

/** How scripts and styles of pages are bundled. */
export const BROWSER_BUNDLE = {
  bundle: true,
  minify: true,
  platform: 'browser',
  format: 'esm',
  target: 'es2022',
  // As the pages say that they are written in: no escapes.
  charset: 'utf8',
  logLevel: 'warning',
} satisfies BuildOptions;

/** Prints how large the files are together, each compressed with gzip; more than `max` bytes fail the build. */
export function checkSize(what: string, directory: string, names: readonly string[], max: number): void {
  const sizes = names.map(name => gzipSync(readFileSync(join(directory, name)), { level: 9 }).length);
  const size = sizes.reduce((sum, bytes) => sum + bytes, 0);
  console.log(`${what}: ${size} bytes with gzip`);
  if (size > max) {
    console.error(`${what}: larger than ${max} bytes`);
    process.exitCode = 1;
  }
}
