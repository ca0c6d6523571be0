import { type Board, findBoard } from './boards.js';
import { ImageError } from './errors.js';
import { type ImageFile, readImageFile, writeImageFile } from './image-file.js';
import { isOwnSignedImage, isSignedImage, readSignedImage, type SignedImage } from './mcuboot.js';
import {
  type ReleasedFile,
  type ReleasedPayload,
  type ReleaseManifest,
  sha256Hex,
  trimmed,
} from './release.js';
import { hex, readRange, type Segment, withoutRange } from './segments.js';

/** A range of a file's bytes, with its meaning. */
export interface FilePart {
  name: 'payload' | 'padding' | 'container' | 'header' | 'signature';
  bytes: number;
  detail: string;
  /** SHA-256 of a payload in lower-case hex, without trailing FF unless it is in a signed image. */
  sha256?: string;
}

/** How a release accounts for a file: the released file that it equals or contains, and its parts. */
export interface ExplainedFile {
  /** The released file that is identical to the file, or has the same payload. */
  released: ReleasedFile;
  isSame: boolean;
  parts: FilePart[];
}

/** Assigns every byte of a file to a part of a release; throws ImageError NOT_RELEASED if that fails. */
export function explainFile(file: Uint8Array, { files }: ReleaseManifest): ExplainedFile {
  const digest = sha256Hex(file);
  const same = files.find(({ sha256 }) => sha256 === digest);
  const found = isSignedImage(file) ? explainSigned(file, files) : explainFlash(file, files, same);
  if (found) return { ...found, released: same ?? found.released, isSame: same !== undefined };
  if (!same)
    throw new ImageError('NOT_RELEASED', `the file is not part of this release: its SHA-256 is ${digest}`);
  return {
    released: same,
    isSame: true,
    parts: [{ name: 'payload', bytes: file.length, detail: 'the whole file', sha256: digest }],
  };
}

type Found = Pick<ExplainedFile, 'released' | 'parts'> | undefined;

function explainSigned(file: Uint8Array, files: readonly ReleasedFile[]): Found {
  const image = readSignedImage(file);
  const released = releasedAs(image.payload, files);
  if (!released || !isOwnSignedImage(file)) return undefined;
  return {
    released,
    parts: nonEmpty([
      ...partsOfSigned(image, released.name),
      { name: 'padding', bytes: image.paddingBytes, detail: 'FF' },
    ]),
  };
}

function releasedAs(payload: Uint8Array, files: readonly ReleasedFile[]): ReleasedFile | undefined {
  const [whole, start] = [sha256Hex(payload), sha256Hex(trimmed(payload))];
  return files.find(({ sha256, payload: own }) => sha256 === whole || own?.sha256 === start);
}

function partsOfSigned(
  { headerBytes, payload, protectedBytes, signatureBytes }: SignedImage,
  detail: string,
): FilePart[] {
  return [
    { name: 'header', bytes: headerBytes, detail: 'lengths, version, FF up to the payload' },
    { name: 'payload', bytes: payload.length, detail, sha256: sha256Hex(payload) },
    {
      name: 'signature',
      bytes: protectedBytes + signatureBytes,
      detail: 'counter, digest, key hash, signature: not checked here',
    },
  ];
}

function explainFlash(
  file: Uint8Array,
  files: readonly ReleasedFile[],
  same: ReleasedFile | undefined,
): Found {
  for (const released of same ? [same] : files) {
    const board = findBoard(released.board ?? '');
    if (!board || !released.payload) continue;
    const image = imageOf(file, board);
    if (!image || !(same || isContainerExplained(file, image, board, released.payload))) continue;
    const parts = explainFor(board, file.length, image.segments, released, files);
    if (parts) return { released, parts };
  }
  return undefined;
}

function imageOf(file: Uint8Array, board: Board): ImageFile | undefined {
  try {
    return readImageFile(file, board);
  } catch (error) {
    if (error instanceof ImageError) return undefined;
    throw error;
  }
}

/**
 * Returns whether the file is exactly what `writeImageFile` writes for its flash content, so that unused
 * bytes hide nothing. An entry point must be that of the released file.
 */
function isContainerExplained(
  file: Uint8Array,
  image: ImageFile,
  board: Board,
  { start = [] }: ReleasedPayload,
): boolean {
  const isReleased = image.start.length === 0 || image.start.join() === start.join();
  return isReleased && Buffer.compare(writeImageFile(image, board), file) === 0;
}

function explainFor(
  board: Board,
  fileBytes: number,
  segments: readonly Segment[],
  { payload: released, name }: ReleasedFile,
  files: readonly ReleasedFile[],
): FilePart[] | undefined {
  const { address, bytes, sha256 } = released!;
  const end = address + bytes;
  if (sha256Hex(readRange(segments, address, end)) !== sha256) return undefined;
  const signed = signedImagesIn(segments, board).filter(({ start }) => start >= address && start < end);
  const unsigned = signed.reduce((rest, image) => withoutRange(rest, image.start, image.end), [...segments]);
  const programs = inRange(unsigned, address, end).map(each => ({ ...each, bytes: trimmed(each.bytes) }));
  const others = withoutRange(unsigned, address, end);
  if (others.some(each => each.bytes.some(byte => byte !== 0xff))) return undefined;
  return nonEmpty([
    ...programs.map(each => ({
      name: 'payload' as const,
      bytes: each.bytes.length,
      detail: rangeOf(each),
      sha256: sha256Hex(each.bytes),
    })),
    ...signed.flatMap(({ start, image }) => {
      const payload = { address: start + image.headerBytes, bytes: image.payload };
      const of = releasedAs(image.payload, files)?.name ?? name;
      return partsOfSigned(image, `${rangeOf(payload)}, ${of}`);
    }),
    {
      name: 'padding',
      bytes: lengthOf(others) + lengthOf(inRange(unsigned, address, end)) - lengthOf(programs),
      detail: 'FF, as erased flash reads',
    },
    {
      name: 'container',
      bytes: Math.max(0, fileBytes - lengthOf(segments)),
      detail: 'addresses and checks of the file format',
    },
  ]);
}

/** Returns the signed images at the addresses where a board's loader looks for them. */
function signedImagesIn(
  segments: readonly Segment[],
  { flashStart, slots }: Board,
): { start: number; end: number; image: SignedImage }[] {
  if (!slots) return [];
  return [slots.installed, slots.staged].flatMap(offset => {
    const start = flashStart + offset;
    const bytes = readRange(segments, start, start + slots.bytes);
    if (!isOwnSignedImage(bytes)) return [];
    const image = readSignedImage(bytes);
    return [{ start, end: start + slots.bytes - image.paddingBytes, image }];
  });
}

function inRange(segments: readonly Segment[], start: number, end: number): Segment[] {
  return withoutRange(withoutRange(segments, 0, start), end, Number.MAX_SAFE_INTEGER);
}

function rangeOf({ address, bytes }: Segment): string {
  return `${hex(address)} to ${hex(address + bytes.length - 1)}`;
}

function lengthOf(segments: readonly Segment[]): number {
  return segments.reduce((total, { bytes }) => total + bytes.length, 0);
}

function nonEmpty(parts: FilePart[]): FilePart[] {
  return parts.filter(({ bytes }) => bytes > 0);
}
