import { createHash, type KeyObject, sign, verify } from 'node:crypto';
import { type Board, findBoard } from './boards.js';
import { ImageError } from './errors.js';
import { readImageFile } from './image-file.js';
import { isOwnSignedImage, isSignedImage, readSignedImage } from './mcuboot.js';
import { readRange, type Segment, withoutRange } from './segments.js';

/** A file of a release: its length in bytes and its SHA-256 in lower-case hex. */
export interface ReleasedFile {
  name: string;
  bytes: number;
  sha256: string;
  board?: string;
}

/** A program or library that a release was made with. */
export interface ToolchainEntry {
  name: string;
  version: string;
  /** SHA-256 of the program's file, or `integrity` of the npm package in package-lock.json. */
  hash: string;
}

/** The signed list of a release's files, with the sources and tools that made them. */
export interface ReleaseManifest {
  format: 'zbc-signer-release-1';
  version: string;
  /** The commit of the sources; null if they were not committed. */
  commit: string | null;
  sources: { sha256: string; files: Record<string, string> };
  toolchain: ToolchainEntry[];
  files: ReleasedFile[];
}

/** SHA-256 in lower-case hex, of bytes or of a text as UTF-8. */
export function sha256Hex(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Returns the bytes of a manifest, which the release key signs. */
export function formatManifest(manifest: ReleaseManifest): Uint8Array {
  return Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
}

/** Returns the 64-byte Ed25519 signature of the manifest's bytes. */
export function signManifest(manifest: Uint8Array, key: KeyObject): Uint8Array {
  return sign(null, manifest, key);
}

/** Parses a manifest; throws ImageError unless the key signed these bytes and they are a manifest. */
export function readManifest(
  bytes: Uint8Array,
  signature: Uint8Array,
  publicKey: KeyObject,
): ReleaseManifest {
  if (!verify(null, bytes, publicKey, signature)) {
    throw new ImageError('IMAGE_SIGNATURE', 'the manifest is not signed with this key');
  }
  const manifest = JSON.parse(Buffer.from(bytes).toString('utf8')) as ReleaseManifest;
  if (manifest.format !== 'zbc-signer-release-1')
    throw new ImageError('BAD_IMAGE', 'the format of the manifest is not supported');
  return manifest;
}

/** Returns the entry of a manifest for this file; throws ImageError NOT_RELEASED if it has none. */
export function findReleased(file: Uint8Array, { files }: ReleaseManifest): ReleasedFile {
  const digest = sha256Hex(file);
  const found = files.find(({ sha256 }) => sha256 === digest);
  if (found) return found;
  throw new ImageError('NOT_RELEASED', `the file is not part of this release: its SHA-256 is ${digest}`);
}

/**
 * The SHA-256 of what a builder builds of a released file: of its programs, without trailing FF, and of the
 * payloads of its signed images, because their signatures are no builder's work.
 */
export function payloadDigests(file: Uint8Array, { board: name = '' }: ReleasedFile): string[] {
  const board = findBoard(name);
  if (!board) return [sha256Hex(isSignedImage(file) ? readSignedImage(file).payload : file)];
  const { segments } = readImageFile(file, board);
  const signed = signedImagesIn(segments, board);
  const programs = signed
    .reduce((rest, { start, end }) => withoutRange(rest, start, end), segments)
    .map(({ bytes }) => trimmed(bytes))
    .filter(({ length }) => length > 0);
  return [...programs, ...signed.map(({ payload }) => payload)].map(sha256Hex);
}

/** Returns the signed images at the addresses where a board's loader looks for them. */
function signedImagesIn(segments: readonly Segment[], { flashStart, slots }: Board) {
  if (!slots) return [];
  return [slots.installed, slots.staged].flatMap(offset => {
    const start = flashStart + offset;
    const bytes = readRange(segments, start, start + slots.bytes);
    if (!isOwnSignedImage(bytes)) return [];
    const { payload, paddingBytes } = readSignedImage(bytes);
    return [{ start, end: start + slots.bytes - paddingBytes, payload }];
  });
}

/** Removes trailing FF. */
function trimmed(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0xff) end--;
  return bytes.subarray(0, end);
}
