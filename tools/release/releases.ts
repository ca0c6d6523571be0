import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '@zbc-signer/image';

/** The modules that report the firmware's version, in dist/firmware. */
export const MODULES = ['zbc-signer.wasm', 'zbc-keystore.wasm'];

/** SHA-256 of each released module, by version. `make release` adds an entry; a version is never reused. */
type Releases = Record<string, Record<string, string>>;

const FILE = 'firmware/releases.json';

const readReleases = (root: string): Releases =>
  JSON.parse(readFileSync(join(root, FILE), 'utf8')) as Releases;

/**
 * Throws if the version was released before or, in a directory under git, if the commit does not have the tag
 * of the version, such as `v1.0.0`.
 */
export function refuseVersion(root: string, version: string): void {
  if (readReleases(root)[version] !== undefined) {
    throw new Error(`version ${version} is already released (${FILE}): raise the version, docs/RELEASES.md`);
  }
  const { status, stdout } = spawnSync('git', ['tag', '--points-at', 'HEAD'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status === 0 && !stdout.split('\n').includes(`v${version}`)) {
    throw new Error(`the commit has no tag v${version}: tag it, because a release is a tagged commit`);
  }
}

/** Throws if a module has other bytes than the module that was released with this version. */
export function refuseOtherBytes(root: string, version: string): void {
  for (const [name, digest] of Object.entries(readReleases(root)[version] ?? {})) {
    if (digestOf(root, name) !== digest) {
      throw new Error(`${name} differs from that of release ${version}: raise the version, docs/RELEASES.md`);
    }
  }
}

/** Adds the modules of a release, so that no later build can have the same version and other bytes. */
export function recordRelease(root: string, version: string): void {
  const digests = Object.fromEntries(MODULES.map(name => [name, digestOf(root, name)]));
  const releases: Releases = { ...readReleases(root), [version]: digests };
  writeFileSync(join(root, FILE), `${JSON.stringify(releases, null, 2)}\n`);
}

const digestOf = (root: string, name: string): string =>
  sha256Hex(readFileSync(join(root, 'dist/firmware', name)));
