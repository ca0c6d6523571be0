import type { KeyObject } from 'node:crypto';
import { BOARDS, type Board, findBoard, ImageError, type ImageVersion } from '@zbc-signer/image';
import { UsageError } from '../errors/errors.js';
import { readBytes, warnIfReadable, writeBytes } from '../input/files.js';
import { parseWhole } from '../input/values.js';
import { formatTable } from '../output/table.js';
import type { Terminal } from '../output/terminal.js';
import { defineCommand, type Given } from '../parser/command.js';

/** This limit is far above the size of any board's flash. */
export const MAX_IMAGE_BYTES = 64 * 1024 * 1024;

const NAMES = BOARDS.map(({ name }) => name);

const OUTPUT_OPTIONS = {
  output: { alias: 'o', demandOption: true, describe: 'file to write' },
  force: { type: 'boolean', describe: 'replace an existing file' },
} as const;

/** Throws UsageError for an unknown board. */
function parseBoard(name: string): Board {
  const board = findBoard(name);
  if (board === undefined) throw new UsageError(`--board must be one of ${NAMES.join(', ')}`);
  return board;
}

export const VERIFY_KEY_OPTIONS = {
  'public-key': {
    describe: 'file with the Ed25519 public key that you trust, in PEM or hex',
  },
  development: { type: 'boolean', describe: 'verify with the development key, which everyone knows' },
} as const;

const MAX_KEY_BYTES = 4096;

const SIGN_KEY_OPTIONS = {
  key: { describe: 'file with a private Ed25519 key in PEM' },
  development: { type: 'boolean', describe: 'sign with the development key, which everyone knows' },
  release: {
    type: 'boolean',
    describe:
      'sign for publication: reject the development key, a counter that is 0 or the highest, and an image that no loader would start',
  },
} as const;

/**
 * Returns the signing key: the key in a file, which must not be the development key, or the development key
 * if `--development` is given.
 */
async function readPrivateKey(
  options: Given<typeof SIGN_KEY_OPTIONS>,
  terminal: Terminal,
): Promise<KeyObject> {
  const { key: path, development, release } = options;
  const { developmentKey, isDevelopmentKey, parsePrivateKey } = await import('@zbc-signer/image');
  if (development) {
    if (release) throw new UsageError('the development key, which everyone knows, cannot sign a release');
    if (path !== undefined) throw new UsageError('--development conflicts with --key');
    return developmentKey();
  }
  if (path === undefined)
    throw new UsageError(
      '--key is missing: the file with the private key',
      'To try an image on your own board, give --development.',
    );
  await warnIfReadable('the key', path, terminal);
  const text = await readBytes('the key', path, MAX_KEY_BYTES, terminal.signal);
  const key = parsePrivateKey(text.toString('utf8'));
  text.fill(0);
  if (isDevelopmentKey(key)) {
    throw new UsageError(
      'the file contains the development key, which everyone knows',
      release ? 'This key cannot sign a release.' : 'To use this key on your own board, give --development.',
    );
  }
  return key;
}

/** Returns the verification key, which the user must name. */
export async function readPublicKey(
  { publicKey: path, development }: Given<typeof VERIFY_KEY_OPTIONS>,
  signal: AbortSignal,
): Promise<KeyObject> {
  const { developmentPublicKey, parsePublicKey } = await import('@zbc-signer/image');
  if (development && path !== undefined) throw new UsageError('--development conflicts with --public-key');
  if (development) return developmentPublicKey();
  if (path === undefined) {
    throw new UsageError(
      '--public-key is missing: the file with the public key that you trust',
      'A key from the same source as the image proves nothing.',
    );
  }
  return parsePublicKey((await readBytes('the key', path, MAX_KEY_BYTES, signal)).toString('utf8'));
}

const MAX_U32 = 0xffffffff;
const VERSION = /^(\d{1,3})\.(\d{1,3})\.(\d{1,5})(?:\+(\d{1,10}))?$/;
/** Length of the longest start of a file by which a format is recognized, which is that of Intel HEX. */
const LONGEST_START = 9;
const CONTAINERS: readonly [pattern: RegExp, name: string][] = [
  [/^UF2\n/, 'UF2'],
  [/^\x7FELF/, 'ELF'],
  [/^:[0-9A-Fa-f]{6}0[0-5]/, 'Intel HEX'],
  [/^\x3d\xb8\xf3\x96/, 'a signed image'],
];

const sign = defineCommand({
  arguments: {
    file: {
      demandOption: true,
      describe: 'binary image, linked to start after a header of 256 bytes',
    },
  },
  options: {
    ...SIGN_KEY_OPTIONS,
    'image-version': {
      demandOption: true,
      describe: 'version of the image: MAJOR.MINOR.REVISION, optionally followed by +BUILD',
    },
    counter: {
      demandOption: true,
      describe:
        'security counter: a loader never starts an image with a lower counter than one it has already started',
    },
    board: {
      describe: 'write a UF2 file that the loader of this board installs as an update [the signed image]',
    },
    ...OUTPUT_OPTIONS,
  },
  examples: [
    [
      '$0 image sign app.bin --key release.pem --image-version 1.0.0 --counter 1 -o app.signed.bin',
      'make the key with: openssl genpkey -algorithm ed25519 -out release.pem',
    ],
  ],

  async run({ file, imageVersion, counter: counterText, board: name, output, force, ...keys }, terminal) {
    const { keyHash, signImage } = await import('@zbc-signer/image');
    const version = parseImageVersion(imageVersion);
    const counter = parseWhole('--counter', counterText, MAX_U32);
    if (keys.release && (counter === 0 || counter === MAX_U32)) {
      throw new UsageError(
        `--release needs a --counter from 1 to ${MAX_U32 - 1}`,
        counter === 0 ? undefined : 'With the highest counter, no later release could have a higher one.',
      );
    }
    const board = name === undefined ? undefined : parseBoard(name);
    const key = await readPrivateKey(keys, terminal);
    const payload = await readBytes('the image', file, MAX_IMAGE_BYTES, terminal.signal);
    if (payload.length === 0) throw new UsageError(`${file} is empty`);
    const format = containerOf(payload);
    if (format !== undefined) {
      throw new UsageError(
        `${file} is ${format}, not a binary image`,
        'Sign the .bin file instead, because a board could not start this file.',
      );
    }
    await expectStartable(payload, board, keys.release);
    const image = signImage(payload, { version, counter, key });
    await writeBytes(output, board ? await updateOf(image, board) : image, { force });
    if (keys.development) terminal.warn('WARNING: anyone can sign with the development key.');
    const hash = keyHash(key).toString('hex');
    return {
      json: { file: output, bytes: image.length, version: imageVersion, counter, key_hash: hash },
      text: `Wrote ${output}: version ${imageVersion}, counter ${counter}, key ${hash}`,
    };
  },
});

/** The container format of a file that no board can start directly. */
function containerOf(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, LONGEST_START)).toString('latin1');
  return CONTAINERS.find(([pattern]) => pattern.test(start))?.[1];
}

/**
 * Throws if the board's loader would not start the image. An image for a release must suit the loader of some
 * board.
 */
async function expectStartable(
  payload: Uint8Array,
  board: Board | undefined,
  isRelease = false,
): Promise<void> {
  const { BOARDS, checkSlotProgram } = await import('@zbc-signer/image');
  const boards = isRelease ? BOARDS.filter(({ slots }) => slots) : [];
  checkSlotProgram(board ? [board] : boards, payload);
}

/** Returns a UF2 file that writes the signed image to the update slot. */
async function updateOf(bytes: Uint8Array, board: Board): Promise<Uint8Array> {
  const { writeImageFile } = await import('@zbc-signer/image');
  const { name, slots, flashStart } = board;
  if (!slots) throw new UsageError(`${name} has no loader`);
  const segments = [{ address: flashStart + slots.staged, bytes }];
  return writeImageFile({ format: 'uf2', segments, start: [] }, board);
}

function parseImageVersion(text: string): ImageVersion {
  const [major = 0, minor = 0, revision = 0, build = 0] = (VERSION.exec(text) ?? [])
    .slice(1)
    .map(part => Number(part ?? 0));
  if (!VERSION.test(text) || major > 0xff || minor > 0xff || revision > 0xffff || build > MAX_U32) {
    throw new UsageError(
      '--image-version must be MAJOR.MINOR.REVISION, at most 255.255.65535, optionally followed by +BUILD',
    );
  }
  return { major, minor, revision, build };
}

const verify = defineCommand({
  arguments: {
    file: {
      demandOption: true,
      describe: 'signed image, as `image sign` writes it, with or without --board',
    },
  },
  options: {
    ...VERIFY_KEY_OPTIONS,
    'minimum-counter': {
      describe: 'security counter of a board: an image with a smaller counter is rejected [0]',
    },
  },
  examples: [
    [
      '$0 image verify app.signed.bin --public-key release.pub',
      'exits with code 11 if the image does not verify',
    ],
  ],

  async run({ file, minimumCounter = '0', ...keys }, { signal }) {
    const { signedImageOf, verifySignedImage } = await import('@zbc-signer/image');
    const minimum = parseWhole('--minimum-counter', minimumCounter, MAX_U32);
    const key = await readPublicKey(keys, signal);
    const bytes = await readBytes('the image', file, MAX_IMAGE_BYTES, signal);
    const image = verifySignedImage(signedImageOf(bytes), key);
    if (image.counter < minimum) {
      throw new ImageError(
        'IMAGE_TOO_OLD',
        `the counter of the image is ${image.counter}, but the counter of the board is ${minimum}`,
      );
    }
    const version = formatVersion(image.version);
    const [digest, hash] = [image.digest, image.keyHash].map(bytes => Buffer.from(bytes).toString('hex'));
    const { counter, headerBytes, payload, protectedBytes, signatureBytes, paddingBytes } = image;
    return {
      json: {
        verified: true,
        version,
        counter,
        header_bytes: headerBytes,
        payload_bytes: payload.length,
        tag_bytes: protectedBytes + signatureBytes,
        padding_bytes: paddingBytes,
        sha256: digest,
        key_hash: hash,
      },
      text: formatTable([
        ['Signature', `valid, by the key ${hash}`],
        ['Version', version],
        ['Counter', `${counter}`],
        ['Header', `${headerBytes} bytes`],
        ['Payload', `${payload.length} bytes`],
        ['Tags', `${protectedBytes + signatureBytes} bytes`],
        ['Padding', `${paddingBytes} bytes`],
        ['SHA-256', `${digest}`],
      ]),
    };
  },
});

function formatVersion({ major, minor, revision, build }: ImageVersion): string {
  return `${major}.${minor}.${revision}${build === 0 ? '' : `+${build}`}`;
}

export const commands = { sign, verify };
