import type { Board, ImageVersion } from '@zbc-signer/image';
import { UsageError } from '../../errors/errors.js';
import { readBytes, writeBytes } from '../../input/files.js';
import { parseWhole } from '../../input/values.js';
import { defineCommand } from '../../parser/command.js';
import { MAX_IMAGE_BYTES, OUTPUT_OPTIONS, parseBoard, readPrivateKey } from './options.js';

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

export const command = defineCommand({
  arguments: {
    file: {
      demandOption: true,
      describe: 'binary image, linked to start after a header of 256 bytes',
    },
  },
  options: {
    key: { describe: 'file with a private Ed25519 key in PEM' },
    development: { type: 'boolean', describe: 'sign with the development key, which everyone knows' },
    release: {
      type: 'boolean',
      describe:
        'sign for publication: reject the development key, a counter that is 0 or the highest, and an image that no loader would start',
    },
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
