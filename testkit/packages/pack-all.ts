// Packs every package once before the tests, from what is built; test/packages/clone.test.ts packs from
// sources.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../repository/repository.js';
import { npm, run } from './npm.js';
import { PACK_REPORT, TARBALLS } from './tarballs.js';

export default function packAll(): void {
  const bundling = run(process.execPath, [join(root, 'dist/tools/bundle/bundle.js')], root);
  if (bundling.status !== 0) throw new Error(bundling.stderr);
  rmSync(TARBALLS, { recursive: true, force: true });
  mkdirSync(TARBALLS, { recursive: true });
  const words = ['pack', '--workspaces', '--ignore-scripts', '--json', '--pack-destination', TARBALLS];
  writeFileSync(PACK_REPORT, npm(words, root));
}
