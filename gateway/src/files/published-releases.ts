import { cleanText, MAX_U64 } from '@zbc-signer/chain';
import { RequestError } from '../base/errors.js';
import { fieldOf } from '../base/node-json.js';

const MAX_RELEASES = 10_000;
const MAX_FILES = 1000;

/** A file whose hash the chain publishes. Its strings contain no control characters. */
interface PublishedRelease {
  version: string;
  arch: string;
  name: string;
  size: bigint;
  /** Time of the release in Unix seconds. */
  releasedAt: bigint;
}

/** By SHA-256 in lower-case hex: the first file with this hash, and its release, as the node sent them. */
type Listing = ReadonlyMap<string, { release: unknown; file: unknown }>;

/** Parsed listings by the answer from which they were read. */
const listings = new WeakMap<object, Listing>();

/**
 * Finds a SHA-256 (lower-case hex) in the response to `/api/v1/release/list`, which is parsed only once.
 * Returns undefined if it is not listed. Throws RequestError 502 for a malformed list, because the hash may
 * nevertheless be published.
 */
export function findRelease(answer: unknown, sha256: string): PublishedRelease | undefined {
  if (typeof answer !== 'object' || answer === null) throw notAList();
  const listing = listings.get(answer) ?? readListing(answer);
  listings.set(answer, listing);
  const found = listing.get(sha256);
  return found && readRelease(found.release, found.file);
}

function readListing(answer: object): Listing {
  const listing = new Map<string, { release: unknown; file: unknown }>();
  for (const release of listOf(answer, 'releases', MAX_RELEASES)) {
    for (const file of listOf(release, 'files', MAX_FILES)) {
      const sha256 = textOf(file, 'sha256').toLowerCase();
      if (!listing.has(sha256)) listing.set(sha256, { release, file });
    }
  }
  return listing;
}

function readRelease(release: unknown, file: unknown): PublishedRelease {
  return {
    version: cleanText(textOf(release, 'version')),
    arch: cleanText(textOf(file, 'arch')),
    name: cleanText(textOf(file, 'name')),
    size: integerOf(file, 'size'),
    releasedAt: integerOf(release, 'released_at'),
  };
}

function listOf(parent: unknown, name: string, maxLength: number): unknown[] {
  const value = fieldOf(parent, name);
  if (!Array.isArray(value) || value.length > maxLength) throw notAList();
  return value;
}

function textOf(parent: unknown, name: string): string {
  const value = fieldOf(parent, name);
  if (typeof value !== 'string') throw notAList();
  return value;
}

function integerOf(parent: unknown, name: string): bigint {
  const value = fieldOf(parent, name);
  if (typeof value !== 'bigint' || value < 0n || value > MAX_U64) throw notAList();
  return value;
}

function notAList(): RequestError {
  return new RequestError(502, 'The node sent an invalid release list');
}
