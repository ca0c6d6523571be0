// Packs every package once before the tests. It packs the build of `npm test`; test/packages/clone.test.ts
// packs from sources.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { root } from '../repository/repository.js';
import { npm } from './npm.js';
import { reportOf, TARBALLS } from './tarballs.js';

export default function packAll(): void {
  packInto(TARBALLS);
}

/** Packs into a directory of this test suite, because another suite may run at the same time. */
export function packInto(directory: string): void {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const words = ['pack', '--workspaces', '--ignore-scripts', '--json', '--pack-destination', directory];
  writeFileSync(reportOf(directory), npm(words, root));
}
