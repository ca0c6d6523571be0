import { createHash, type KeyObject, sign, verify } from 'node:crypto';
import type { Board } from './boards.js';
import { ImageError } from './errors.js';
import { readImageFile } from './image-file.js';
import { readRange } from './segments.js';

/** The bytes that a released file writes to its board's flash, without trailing FF. */
export interface ReleasedPayload {
  address: number;
  bytes: number;
  sha256: string;
  /** The records of the entry point, if an Intel HEX file has any. */
  start?: readonly string[];
}

/** A file of a release: its length in bytes and its SHA-256 in lower-case hex. */
export interface ReleasedFile {
  name: string;
  bytes: number;
  sha256: string;
  board?: string;
  payload?: ReleasedPayload;
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

/** Returns the payload of an image file, without trailing FF; throws ImageError. */
export function readPayload(file: Uint8Array, board: Board): ReleasedPayload {
  const { segments, start } = readImageFile(file, board);
  const address = segments[0]!.address;
  const last = segments.at(-1)!;
  const bytes = trimmed(readRange(segments, address, last.address + last.bytes.length));
  return { address, bytes: bytes.length, sha256: sha256Hex(bytes), ...(start.length > 0 && { start }) };
}

/** Removes trailing FF. */
export function trimmed(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0xff) end--;
  return bytes.subarray(0, end);
}
