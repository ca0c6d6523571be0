import { statSync } from 'node:fs';
import { join } from 'node:path';
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

/** Prints how large the files are together; more than `max` bytes fail the build. */
export function checkSize(what: string, directory: string, names: readonly string[], max: number): void {
  const size = names.reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
  console.log(`${what}: ${size} bytes`);
  if (size > max) {
    console.error(`${what}: larger than ${max} bytes`);
    process.exitCode = 1;
  }
}
