import { ImageError, type ImageVersion } from '@zbc-signer/image';
import { readBytes } from '../../input/files.js';
import { parseWhole } from '../../input/values.js';
import { formatTable } from '../../output/table.js';
import { defineCommand } from '../../parser/command.js';
import { MAX_IMAGE_BYTES, readPublicKey, VERIFY_KEY_OPTIONS } from './options.js';

const MAX_U32 = 0xffffffff;

export const command = defineCommand({
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
