import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type ReleaseManifest, sha256Hex } from '@zbc-signer/image';

/** The files and directories from which a release is built. The build reads no others. */
const SOURCES = [
  'asconfig.json',
  'firmware/assembly',
  'firmware/boards',
  'firmware/keystore',
  'firmware/loader',
  'image/src',
  'package-lock.json',
  'protocol/src',
  'tools/build/build-firmware.ts',
  'tools/bundle/bundle-licences.ts',
  'tools/build/compile-assembly.ts',
  'tools/image',
  'tools/build/inspect-wasm.ts',
  'tools/release',
  'tools/build/wasm-opcodes.ts',
  'tools/build/wasm-reader.ts',
];

/**
 * Returns the SHA-256 of each source file by its path, and the SHA-256 of this list in the format of
 * `sha256sum`.
 */
export function describeSources(root: string): ReleaseManifest['sources'] {
  const paths = SOURCES.flatMap(path => filesUnder(root, path)).sort();
  const files = Object.fromEntries(paths.map(path => [path, sha256Hex(readFileSync(join(root, path)))]));
  return { sha256: sha256Hex(formatSums(files)), files };
}

/**
 * Returns the commit of the sources, or null if there are changes. Untracked files matter only among the
 * sources.
 */
export function commitOf(root: string): string | null {
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
  try {
    const changed = git('status', '--porcelain', '--untracked-files=no');
    const added = git('status', '--porcelain', '--untracked-files=all', '--', ...SOURCES);
    return changed + added === '' ? git('rev-parse', 'HEAD') : null;
  } catch {
    return null;
  }
}

/** Throws if the sources differ from the commit. A directory that is not under git is accepted. */
export function refuseChanges(root: string): void {
  if (commitOf(root) === null && isUnderGit(root)) {
    throw new Error(
      'the sources differ from the commit: commit or remove the changes that `git status` lists',
    );
  }
}

function isUnderGit(root: string): boolean {
  const { status } = spawnSync('git', ['rev-parse', '--is-inside-work-tree'], { cwd: root });
  return status === 0;
}

/** Formats hashes as `sha256sum` prints them and `sha256sum -c` reads them. */
export function formatSums(files: Readonly<Record<string, string>>): string {
  return Object.entries(files)
    .map(([path, digest]) => `${digest}  ${path}\n`)
    .join('');
}

function filesUnder(root: string, path: string): string[] {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path)).flatMap(name => filesUnder(root, `${path}/${name}`));
}
