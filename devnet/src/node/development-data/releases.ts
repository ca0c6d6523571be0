import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A release; `releasedAt` is in Unix seconds. */
interface Release {
  version: string;
  releasedAt: bigint;
}

/** The releases, newest first. They are dated 2026-10-01 and 2026-06-01. */
const RELEASES: readonly Release[] = [
  { version: '1.1.0', releasedAt: 1_790_812_800n },
  { version: '1.0.0', releasedAt: 1_780_272_000n },
];

const ARCHITECTURES = ['linux-amd64', 'linux-arm64', 'darwin-arm64'] as const;

/** The name of the only file of each release and architecture. */
const NAME = 'zbc-node';

/**
 * Returns the script of a release, which runs a node. It accepts the options of `zbc-signer node run`, which must be
 * installed, because a bundle that contains Node would be large. `/api/v1/release/list` publishes its hash.
 */
export function releaseScript(version: string, arch: string): Uint8Array {
  return Buffer.from(`#!/bin/sh
# zbc-node ${version} (${arch}) of a development network
command -v zbc-signer >/dev/null 2>&1 || {
  echo 'zbc-node: zbc-signer was not found: npm install --global zbc-signer' >&2
  exit 127
}
exec zbc-signer node run "$@"
`);
}

export function viewReleases() {
  return RELEASES.map(({ version, releasedAt }) => ({
    version,
    released_at: releasedAt,
    files: ARCHITECTURES.map(arch => viewBundle(version, arch)),
  }));
}

function viewBundle(version: string, arch: string) {
  const bytes = releaseScript(version, arch);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { arch, name: NAME, size: bytes.length, sha256 };
}

/** Writes the scripts in the layout of a gateway's `releases_dir`: `<version>/<arch>/<name>`. */
export async function writeReleases(directory: string): Promise<void> {
  for (const { version } of RELEASES) {
    for (const arch of ARCHITECTURES) {
      const releaseDirectory = join(directory, version, arch);
      await mkdir(releaseDirectory, { recursive: true });
      await writeFile(join(releaseDirectory, NAME), releaseScript(version, arch));
    }
  }
}
