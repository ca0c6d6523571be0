import { toHex } from '@zbc-signer/chain';
import { type Answer, readList } from '../answer.js';

/** Length of a SHA-256 hash in bytes. */
const SHA256 = 32;

/** A file of a release; `sha256` is in lower-case hex. */
export interface ReleaseFile {
  architecture?: string | undefined;
  name: string;
  sizeBytes?: bigint | undefined;
  sha256: string;
}

/** A software release; `releasedAt` is in Unix seconds. */
export interface Release {
  version: string;
  releasedAt?: bigint | undefined;
  files: ReleaseFile[];
}

export function readReleases(route: string, json: unknown): Release[] {
  return readList(route, json, 'releases').map(readRelease);
}

function readRelease(answer: Answer): Release {
  return {
    version: answer.label('version'),
    releasedAt: answer.optional('released_at', 'amount'),
    files: answer.list('files').map(readReleaseFile),
  };
}

function readReleaseFile(answer: Answer): ReleaseFile {
  return {
    architecture: answer.optional('arch', 'text'),
    name: answer.text('name'),
    sizeBytes: answer.optional('size', 'amount'),
    sha256: toHex(answer.hex('sha256', SHA256)),
  };
}
