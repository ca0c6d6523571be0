import { createHash, type KeyObject, sign, verify } from 'node:crypto';
import { type Board, findBoard } from './boards.js';
import { ImageError } from './errors.js';
import { readImageFile } from './image-file.js';
import { isSignedImage, readSignedImage } from './mcuboot.js';
import { hasSeed, SEED_RECORD_BYTES } from './seed-sector.js';
import { hex, readRange, type Segment } from './segments.js';

/** What a file of a release writes to the flash of its board, without FF at its end. */
export interface ReleasedPayload {
  address: number;
  bytes: number;
  sha256: string;
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
  /** Of the file, or the integrity of the npm package. */
  hash: string;
}

/** What was made of what, with what. */
export interface ReleaseManifest {
  format: 'zbc-signer-release-1';
  version: string;
  /** The commit of the sources; null when they were none that is committed. */
  commit: string | null;
  sources: { sha256: string; files: Record<string, string> };
  toolchain: ToolchainEntry[];
  files: ReleasedFile[];
}

/** SHA-256 in lower-case hex, of bytes or of a text as UTF-8. */
export function sha256Hex(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The bytes that are signed. */
export function formatManifest(manifest: ReleaseManifest): Uint8Array {
  return Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
}

/** 64 bytes of Ed25519 over the bytes of the manifest. */
export function signManifest(manifest: Uint8Array, key: KeyObject): Uint8Array {
  return sign(null, manifest, key);
}

/** Throws ImageError unless the key signed these bytes and they are a manifest. */
export function readManifest(
  bytes: Uint8Array,
  signature: Uint8Array,
  publicKey: KeyObject,
): ReleaseManifest {
  if (!verify(null, bytes, publicKey, signature)) {
    throw new ImageError('IMAGE_SIGNATURE', 'the signature of the manifest is not one of this key');
  }
  const manifest = JSON.parse(Buffer.from(bytes).toString('utf8')) as ReleaseManifest;
  if (manifest.format !== 'zbc-signer-release-1')
    throw new ImageError('BAD_IMAGE', 'the manifest has another format');
  return manifest;
}

/** What an image file writes, without FF at its end; throws ImageError. */
export function payloadOf(file: Uint8Array, board: Board): ReleasedPayload {
  const { segments } = readImageFile(file, board);
  const address = segments[0]!.address;
  const last = segments.at(-1)!;
  const bytes = trimmed(readRange(segments, address, last.address + last.bytes.length));
  return { address, bytes: bytes.length, sha256: sha256Hex(bytes) };
}

function trimmed(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0xff) end--;
  return bytes.subarray(0, end);
}

/** So many bytes of a file, and what they are. */
export interface FilePart {
  name: 'payload' | 'padding' | 'container' | 'header' | 'signature' | 'seed';
  bytes: number;
  detail: string;
}

/** A file that a release explains: which of its files it is or holds, and what every byte is. */
export interface ExplainedFile {
  /** The same file, or the one whose payload this is. */
  released: ReleasedFile;
  isSame: boolean;
  parts: FilePart[];
}

/** Throws ImageError NOT_RELEASED when there is a byte that the release does not explain. */
export function explainFile(file: Uint8Array, { files }: ReleaseManifest): ExplainedFile {
  const digest = sha256Hex(file);
  const same = files.find(({ sha256 }) => sha256 === digest);
  const found = isSignedImage(file) ? explainSigned(file, files) : explainFlash(file, files, same);
  if (found) return { ...found, released: same ?? found.released, isSame: same !== undefined };
  if (!same)
    throw new ImageError('NOT_RELEASED', `the file is not of this release: its SHA-256 is ${digest}`);
  return {
    released: same,
    isSame: true,
    parts: [{ name: 'payload', bytes: file.length, detail: 'the whole file' }],
  };
}

type Found = Pick<ExplainedFile, 'released' | 'parts'> | undefined;

function explainSigned(file: Uint8Array, files: readonly ReleasedFile[]): Found {
  const { headerBytes, payload, protectedBytes, signatureBytes, paddingBytes } = readSignedImage(file);
  const digest = sha256Hex(trimmed(payload));
  const released = files.find(
    ({ sha256, payload: own }) => sha256 === sha256Hex(payload) || own?.sha256 === digest,
  );
  if (!released) return undefined;
  return {
    released,
    parts: nonEmpty([
      { name: 'header', bytes: headerBytes, detail: 'lengths, version, FF up to the payload' },
      { name: 'payload', bytes: payload.length, detail: released.name },
      {
        name: 'signature',
        bytes: protectedBytes + signatureBytes,
        detail: 'counter, digest, key hash, signature: not checked here',
      },
      { name: 'padding', bytes: paddingBytes, detail: 'FF' },
    ]),
  };
}

function explainFlash(
  file: Uint8Array,
  files: readonly ReleasedFile[],
  same: ReleasedFile | undefined,
): Found {
  for (const released of same ? [same] : files) {
    const board = findBoard(released.board ?? '');
    if (!board || !released.payload) continue;
    const parts = explainFor(board, file, released.payload);
    if (parts) return { released, parts };
  }
  return undefined;
}

function explainFor(
  board: Board,
  file: Uint8Array,
  { address, bytes, sha256 }: ReleasedPayload,
): FilePart[] | undefined {
  const segments = segmentsOf(file, board);
  if (!segments) return undefined;
  const end = address + bytes;
  if (sha256Hex(readRange(segments, address, end)) !== sha256) return undefined;
  const seedStart = board.flashStart + board.seedOffset;
  const seedBytes = hasSeed({ format: 'bin', segments, start: [] }, board) ? SEED_RECORD_BYTES : 0;
  const isOther = (place: number) =>
    (place < address || place >= end) && (place < seedStart || place >= seedStart + seedBytes);
  let [written, padding] = [0, 0];
  for (const segment of segments) {
    written += segment.bytes.length;
    for (const [index, byte] of segment.bytes.entries()) {
      if (!isOther(segment.address + index)) continue;
      if (byte !== 0xff) return undefined;
      padding++;
    }
  }
  const seed = written - bytes - padding;
  return nonEmpty([
    { name: 'payload', bytes, detail: `${hex(address)} to ${hex(end - 1)}, SHA-256 ${sha256}` },
    { name: 'seed', bytes: seed, detail: `at ${hex(seedStart)}: keep this file secret` },
    { name: 'padding', bytes: padding, detail: 'FF, as erased flash reads' },
    {
      name: 'container',
      bytes: Math.max(0, file.length - written),
      detail: 'addresses and checks of the file format',
    },
  ]);
}

function segmentsOf(file: Uint8Array, board: Board): Segment[] | undefined {
  try {
    return readImageFile(file, board).segments;
  } catch (error) {
    if (error instanceof ImageError) return undefined;
    throw error;
  }
}

function nonEmpty(parts: FilePart[]): FilePart[] {
  return parts.filter(({ bytes }) => bytes > 0);
}
