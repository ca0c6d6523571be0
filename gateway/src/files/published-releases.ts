import { cleanText } from '@zbc-signer/chain';
import { Type } from 'typebox';
import { RequestError } from '../base/errors.js';
import { ajv } from '../base/validation.js';

const TEXT = Type.String();
const UINT64 = Type.Unsafe<bigint>({ atoms: true });
const NAMED_HASHES = Type.Array(Type.Object({ sha256: TEXT }), { maxItems: 1000 });
const RELEASES = Type.Array(Type.Object({ files: NAMED_HASHES }), { maxItems: 10_000 });
const isList = ajv.compile<{ releases: { files: { sha256: string }[] }[] }>(
  Type.Object({ releases: RELEASES }),
);

/** A file whose hash the chain publishes. */
interface PublishedRelease {
  version: string;
  arch: string;
  name: string;
  size: bigint;
  /** Time of the release in Unix seconds. */
  released_at: bigint;
}

const isRelease = ajv.compile<PublishedRelease>(
  Type.Object({ version: TEXT, arch: TEXT, name: TEXT, size: UINT64, released_at: UINT64 }),
);

/**
 * Finds a SHA-256 (lower-case hex) in the response to `/api/v1/release/list`, and returns the release without
 * control characters. Returns undefined if it is not listed. Throws RequestError 502 for a malformed list,
 * because the hash may nevertheless be published.
 */
export function findRelease(answer: unknown, sha256: string): PublishedRelease | undefined {
  if (!isList(answer)) throw notAList();
  for (const release of answer.releases) {
    const file = release.files.find(each => each.sha256.toLowerCase() === sha256);
    if (file !== undefined) return readRelease({ ...release, ...file });
  }
  return undefined;
}

function readRelease(found: object): PublishedRelease {
  if (!isRelease(found)) throw notAList();
  const { version, arch, name, size, released_at } = found;
  return { version: cleanText(version), arch: cleanText(arch), name: cleanText(name), size, released_at };
}

function notAList(): RequestError {
  return new RequestError(502, 'The node sent an invalid release list');
}
