import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

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

/** Size of a block of a tar archive. */
const BLOCK = 512;

function bundleName(version: string, arch: string): string {
  return `zbc-node-${version}-${arch}.tar.gz`;
}

/**
 * Returns a reproducible gzipped tar archive of a script that runs a node. `/api/v1/release/list` publishes
 * its hash.
 */
export function releaseBundle(version: string, arch: string): Uint8Array {
  const script = nodeScript(version, arch);
  // The content is stored, not compressed, because the output of zlib differs between builds.
  const bundle = gzipSync(tarOf(`zbc-node-${version}/zbc-node`, Buffer.from(script)), { level: 0 });
  bundle[GZIP_SYSTEM_AT] = GZIP_SYSTEM_UNKNOWN;
  return bundle;
}

/**
 * Returns the script. It accepts the options of `zbc-signer node run`, which must be installed, because a
 * bundle that contains Node would be large.
 */
function nodeScript(version: string, arch: string): string {
  return `#!/bin/sh
# zbc-node ${version} (${arch}) of a development network
command -v zbc-signer >/dev/null 2>&1 || {
  echo 'zbc-node: zbc-signer was not found: npm install --global zbc-signer' >&2
  exit 127
}
exec zbc-signer node run "$@"
`;
}

/** Position of the OS field (RFC 1952 §2.3). */
const GZIP_SYSTEM_AT = 9;
const GZIP_SYSTEM_UNKNOWN = 255;

export function viewReleases() {
  return RELEASES.map(({ version, releasedAt }) => ({
    version,
    released_at: releasedAt,
    files: ARCHITECTURES.map(arch => viewBundle(version, arch)),
  }));
}

function viewBundle(version: string, arch: string) {
  const bytes = releaseBundle(version, arch);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { arch, name: bundleName(version, arch), size: bytes.length, sha256 };
}

/** Writes the bundles in the layout of a gateway's `releases_dir`: `<version>/<arch>/<name>`. */
export async function writeReleases(directory: string): Promise<void> {
  for (const { version } of RELEASES) {
    for (const arch of ARCHITECTURES) {
      const releaseDirectory = join(directory, version, arch);
      await mkdir(releaseDirectory, { recursive: true });
      await writeFile(join(releaseDirectory, bundleName(version, arch)), releaseBundle(version, arch));
    }
  }
}

/**
 * Returns a reproducible POSIX ustar archive of one executable file, as in pax(1). The path has at most 100
 * bytes of ASCII. Numbers are octal; the checksum is computed with spaces in its own place.
 */
function tarOf(path: string, content: Uint8Array): Uint8Array {
  const octal = (value: number, width: number) => `${value.toString(8).padStart(width - 1, '0')}\0`;
  const [mode, owner, time] = [octal(0o755, 8), octal(0, 8).repeat(2), octal(0, 12)];
  const head = path.padEnd(100, '\0') + mode + owner + octal(content.length, 12) + time;
  const tail = `${'0'.padEnd(101, '\0')}ustar\x0000`;
  const sum = Buffer.from(`${head}        ${tail}`).reduce((total, byte) => total + byte, 0);
  const header = `${head}${octal(sum, 7)} ${tail}`.padEnd(BLOCK, '\0');
  const padding = Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK);
  return Buffer.concat([Buffer.from(header), content, padding, Buffer.alloc(2 * BLOCK)]);
}
