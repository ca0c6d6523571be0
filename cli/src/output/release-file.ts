import type { ReleaseFile } from '@zbc-signer/host/explorer';

/** A file of a release, for programs. */
export function releaseFileJson(file: ReleaseFile): Record<string, unknown> {
  const { architecture, name, sizeBytes, sha256 } = file;
  return {
    ...(architecture !== undefined && { arch: architecture }),
    name,
    ...(sizeBytes !== undefined && { size: sizeBytes }),
    sha256,
  };
}
