// Signed images in the format of MCUboot's design document: a header, the payload, tags that the signature
// covers, and tags that it does not cover. Integers are little-endian.
import { createHash, type KeyObject, sign, verify } from 'node:crypto';
import { ImageError } from './errors.js';
import { keyHash } from './signing-key.js';

const MAGIC = 0x96f3b83d;
const HEADER_BYTES = 32;
/** Default length of the header. The interrupt vectors follow it, and must be aligned to this length. */
export const DEFAULT_HEADER = 256;
const MAX_HEADER = 0xffff;
const INFO_BYTES = 4;
const TAG_BYTES = 4;
const TAGS_MAGIC = 0x6907;
const PROTECTED_MAGIC = 0x6908;

const TAG_KEY_HASH = 0x01;
const TAG_SHA256 = 0x10;
const TAG_ED25519 = 0x24;
const TAG_SECURITY_COUNTER = 0x50;
const SHA256_BYTES = 32;
const SIGNATURE_BYTES = 64;
const COUNTER_BYTES = 4;
const MAX_U32 = 0xffffffff;
/** Size of all tags that `signImage` writes. */
export const OWN_TAGS_BYTES =
  2 * INFO_BYTES + 4 * TAG_BYTES + COUNTER_BYTES + 2 * SHA256_BYTES + SIGNATURE_BYTES;

/** The version in the header of a signed image. Its numbers have 8, 8, 16 and 32 bits. */
export interface ImageVersion {
  major: number;
  minor: number;
  revision: number;
  build: number;
}

/** How to sign an image; `key` is a private Ed25519 key. */
export interface SigningOptions {
  version: ImageVersion;
  /**
   * The security counter: a loader never starts an image with a lower counter than one it has already
   * started.
   */
  counter: number;
  key: KeyObject;
  /** Length of the header, padded with FF. Default: 256. */
  headerBytes?: number;
}

/** The content of a signed image, not yet checked against a key. */
export interface SignedImage {
  version: ImageVersion;
  counter: number;
  headerBytes: number;
  payload: Uint8Array;
  /** Length of the protected tags. */
  protectedBytes: number;
  /** Length of the other tags: key hash, digest and signature. */
  signatureBytes: number;
  /** Number of FF bytes after the tags. */
  paddingBytes: number;
  keyHash: Uint8Array;
  digest: Uint8Array;
  signature: Uint8Array;
}

/** Puts the payload between a header and its signature, in MCUboot's format. */
export function signImage(payload: Uint8Array, options: SigningOptions): Uint8Array {
  const { version, counter, key, headerBytes = DEFAULT_HEADER } = options;
  const { major, minor, revision, build } = version;
  const isWrong =
    [major, minor].some(part => part > 0xff) || revision > 0xffff || build > MAX_U32 || counter > MAX_U32;
  if (isWrong || headerBytes < HEADER_BYTES || headerBytes > MAX_HEADER || payload.length === 0) {
    throw new RangeError('the version, the counter or a length is out of range');
  }
  const digest = sha256(signedPart(payload, { version, counter, headerBytes }));
  const evidence = { digest, keyHash: keyHash(key), signature: sign(null, digest, key) };
  return assemble(payload, { version, counter, headerBytes, ...evidence });
}

/** Returns the bytes that a signature covers. */
function signedPart(
  payload: Uint8Array,
  { version, counter, headerBytes }: Pick<SignedImage, 'version' | 'counter' | 'headerBytes'>,
): Buffer {
  const protectedTags = tags(PROTECTED_MAGIC, [[TAG_SECURITY_COUNTER, u32(counter)]]);
  const header = Buffer.alloc(headerBytes, 0xff).fill(0, 0, HEADER_BYTES);
  header.writeUInt32LE(MAGIC, 0);
  header.writeUInt16LE(headerBytes, 8);
  header.writeUInt16LE(protectedTags.length, 10);
  header.writeUInt32LE(payload.length, 12);
  header.set([version.major, version.minor], 20);
  header.writeUInt16LE(version.revision, 22);
  header.writeUInt32LE(version.build, 24);
  return Buffer.concat([header, payload, protectedTags]);
}

function assemble(
  payload: Uint8Array,
  parts: Pick<SignedImage, 'version' | 'counter' | 'headerBytes' | 'digest' | 'keyHash' | 'signature'>,
): Buffer {
  const rest = tags(TAGS_MAGIC, [
    [TAG_SHA256, Buffer.from(parts.digest)],
    [TAG_KEY_HASH, Buffer.from(parts.keyHash)],
    [TAG_ED25519, Buffer.from(parts.signature)],
  ]);
  return Buffer.concat([signedPart(payload, parts), rest]);
}

/**
 * Returns whether a file is a signed image with the correct digest and only the content that `signImage`
 * writes, followed by FF. The signature is not checked.
 */
export function isOwnSignedImage(file: Uint8Array): boolean {
  if (!isSignedImage(file)) return false;
  let image: SignedImage;
  try {
    image = readSignedImage(file);
  } catch (error) {
    if (error instanceof ImageError) return false;
    throw error;
  }
  const digest = sha256(signedPart(image.payload, image));
  const own = assemble(image.payload, { ...image, digest });
  return own.equals(file.subarray(0, file.length - image.paddingBytes));
}

function tags(magic: number, entries: readonly (readonly [type: number, value: Buffer])[]): Buffer {
  const body = Buffer.concat(entries.flatMap(([type, value]) => [u16(type), u16(value.length), value]));
  return Buffer.concat([u16(magic), u16(INFO_BYTES + body.length), body]);
}

/** Returns whether a file begins with the header of a signed image. */
export function isSignedImage(file: Uint8Array): boolean {
  return file.length >= HEADER_BYTES && Buffer.from(file.subarray(0, 4)).readUInt32LE() === MAGIC;
}

/** Parses an image; throws ImageError IMAGE_NOT_SIGNED or IMAGE_BROKEN. */
export function readSignedImage(file: Uint8Array): SignedImage {
  if (!isSignedImage(file))
    throw new ImageError(
      'IMAGE_NOT_SIGNED',
      'the image is not signed: it does not start with the header of a signed image',
    );
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const [headerBytes, protectedBytes] = [bytes.readUInt16LE(8), bytes.readUInt16LE(10)];
  const payloadEnd = headerBytes + bytes.readUInt32LE(12);
  const loadAddress = bytes.readUInt32LE(4);
  const flags = bytes.readUInt32LE(16);
  if (headerBytes < HEADER_BYTES || loadAddress !== 0 || flags !== 0 || bytes.readUInt32LE(28) !== 0) {
    throw broken('a header that no loader of this project accepts');
  }
  const tagsAt = payloadEnd + protectedBytes;
  const covered = readTags(bytes, payloadEnd, PROTECTED_MAGIC);
  const { entries, end } = readTags(bytes, tagsAt, TAGS_MAGIC);
  if (covered.end !== tagsAt)
    throw broken('protected tags whose length differs from the length in its header');
  const padding = bytes.subarray(end);
  if (padding.some(byte => byte !== 0xff)) throw broken('bytes other than FF after its signature');
  return {
    version: {
      major: bytes[20]!,
      minor: bytes[21]!,
      revision: bytes.readUInt16LE(22),
      build: bytes.readUInt32LE(24),
    },
    counter: single(covered.entries, TAG_SECURITY_COUNTER, COUNTER_BYTES).readUInt32LE(),
    headerBytes,
    payload: bytes.subarray(headerBytes, payloadEnd),
    protectedBytes,
    signatureBytes: end - tagsAt,
    paddingBytes: padding.length,
    digest: single(entries, TAG_SHA256, SHA256_BYTES),
    keyHash: single(entries, TAG_KEY_HASH, SHA256_BYTES),
    signature: single(entries, TAG_ED25519, SIGNATURE_BYTES),
  };
}

/** Parses an image and verifies its signature with the key; throws ImageError. */
export function verifySignedImage(file: Uint8Array, publicKey: KeyObject): SignedImage {
  const image = readSignedImage(file);
  const end = image.headerBytes + image.payload.length + image.protectedBytes;
  if (!sha256(file.subarray(0, end)).equals(image.digest)) {
    throw new ImageError(
      'IMAGE_SIGNATURE',
      'the digest of the image differs from the one in its signature block',
    );
  }
  if (!keyHash(publicKey).equals(image.keyHash)) {
    throw new ImageError('IMAGE_SIGNATURE', 'the key that signed the image is not the expected one');
  }
  if (!verify(null, image.digest, publicKey, image.signature)) {
    throw new ImageError('IMAGE_SIGNATURE', 'the signature of the image is wrong');
  }
  return image;
}

interface Tags {
  entries: [type: number, value: Buffer][];
  end: number;
}

function readTags(bytes: Buffer, start: number, magic: number): Tags {
  if (start + INFO_BYTES > bytes.length || bytes.readUInt16LE(start) !== magic)
    throw broken('no tags after its payload');
  const end = start + bytes.readUInt16LE(start + 2);
  const entries: Tags['entries'] = [];
  let at = start + INFO_BYTES;
  while (at + TAG_BYTES <= Math.min(end, bytes.length)) {
    const length = bytes.readUInt16LE(at + 2);
    entries.push([bytes.readUInt16LE(at), bytes.subarray(at + TAG_BYTES, at + TAG_BYTES + length)]);
    at += TAG_BYTES + length;
  }
  if (at !== end || end > bytes.length) throw broken('tags that are cut off');
  return { entries, end };
}

/** Returns the value of a tag that must occur exactly once, with this length. */
function single(entries: Tags['entries'], wanted: number, length: number): Buffer {
  const [found, ...others] = entries.filter(([type]) => type === wanted);
  if (!found || others.length > 0 || found[1].length !== length) {
    const tag = wanted.toString(16).padStart(2, '0');
    throw new ImageError('IMAGE_BROKEN', `the image must have exactly one valid tag ${tag}`);
  }
  return found[1];
}

function broken(what: string): ImageError {
  return new ImageError('IMAGE_BROKEN', `the image has ${what}`);
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
