import { createHash } from 'node:crypto';
import {
  developmentKey,
  developmentPublicKey,
  type ImageError,
  isDevelopmentKey,
  parsePrivateKey,
  parsePublicKey,
  publicKeyHex,
  readSignedImage,
  signImage,
  verifySignedImage,
} from '@zbc-signer/image';

/** RFC 8032, section 7.1, test 1. */
const PRIVATE_KEY = `-----BEGIN PRIVATE KEY-----
${Buffer.from('302e020100300506032b6570042204209d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex').toString('base64')}
-----END PRIVATE KEY-----
`;
const PUBLIC_KEY = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
const key = parsePrivateKey(PRIVATE_KEY);
const publicKey = parsePublicKey(PUBLIC_KEY);
const payload = Uint8Array.from({ length: 301 }, (_, index) => index & 0xff);
const version = { major: 1, minor: 2, revision: 3, build: 4 };
const image = Buffer.from(signImage(payload, { version, counter: 7, key }));

/**
 * The output of MCUboot's own imgtool 2.4.0 for the same input: header, tags, and the SHA-256 of the whole.
 */
const IMGTOOL = {
  header: '3db8f3960000000000010c002d01000000000000010203000400000000000000',
  tags:
    '08690c0050000400070000000769900010002000b4216c6fcc371fb491cd88b8236e57088194d92d8a1667e1d0601e9f6466143f' +
    '0100200006e3fd8fda29bb60ab59557de61edb0aecdb231134be30e75b455f8e1b792fa9240040008157' +
    '7fa530130e02b7596ceadc7c692da2930e78e2f24d0b97a0fc98c3a22be37b1811ab885d5a5112cff75f' +
    '5c3e0eb2aabaa719b49adf2071e2ddde7ce0f505',
  sha256: 'c3615a8d4ed0eadb414431ffe7d566e525d0f5ce83ce385d9b4bd38c69f0e7a2',
};

test('a signed image has the bytes that imgtool writes', () => {
  expect(image.subarray(0, 32).toString('hex')).toBe(IMGTOOL.header);
  expect(image.subarray(256 + 301).toString('hex')).toBe(IMGTOOL.tags);
  expect(createHash('sha256').update(image).digest('hex')).toBe(IMGTOOL.sha256);
});

test('a signed image is parsed into its parts', () => {
  const read = verifySignedImage(Buffer.concat([image, Buffer.alloc(9, 0xff)]), publicKey);
  expect(read).toMatchObject({
    version,
    counter: 7,
    headerBytes: 256,
    protectedBytes: 12,
    signatureBytes: 144,
  });
  expect(read.paddingBytes).toBe(9);
  expect(Buffer.from(read.payload)).toEqual(Buffer.from(payload));
});

const codeOf = (run: () => unknown): string => {
  try {
    run();
    return 'no error';
  } catch (error) {
    return (error as ImageError).code ?? String(error);
  }
};

test('a signed image with any changed bit is rejected', () => {
  for (let at = 0; at < image.length; at++) {
    for (const bit of at < 32 || at >= 557 ? [1, 2, 4, 8, 16, 32, 64, 128] : [1 << (at & 7)]) {
      const changed = Buffer.from(image);
      changed[at]! ^= bit;
      expect([at, codeOf(() => verifySignedImage(changed, publicKey))]).toEqual([
        at,
        expect.stringMatching(/^(?:IMAGE_SIGNATURE|IMAGE_NOT_SIGNED|IMAGE_BROKEN)$/),
      ]);
    }
  }
});

test('a truncated image is rejected, and so are bytes after an image', () => {
  for (let length = 0; length < image.length; length++) {
    expect(codeOf(() => readSignedImage(image.subarray(0, length)))).toMatch(
      /^(?:IMAGE_NOT_SIGNED|IMAGE_BROKEN)$/,
    );
  }
  expect(codeOf(() => readSignedImage(Buffer.concat([image, Buffer.of(0)])))).toBe('IMAGE_BROKEN');
});

test('a signed image is not verified with another key', () => {
  expect(codeOf(() => verifySignedImage(image, developmentPublicKey()))).toBe('IMAGE_SIGNATURE');
});

test.each([
  [{ major: 256 }, {}],
  [{ revision: 65536 }, {}],
  [{}, { counter: 2 ** 32 }],
  [{}, { headerBytes: 31 }],
])('numbers that do not fit are refused: %j %j', (part, options) => {
  expect(() => signImage(payload, { version: { ...version, ...part }, counter: 0, key, ...options })).toThrow(
    RangeError,
  );
});

test('keys are Ed25519, in PEM or hex', () => {
  expect(publicKeyHex(key)).toBe(PUBLIC_KEY);
  const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string;
  expect(publicKeyHex(parsePublicKey(pem))).toBe(PUBLIC_KEY);
  for (const text of ['', PUBLIC_KEY.slice(1), pem.replace('MCow', 'MCox')]) {
    expect(codeOf(() => parsePublicKey(text))).toBe('BAD_SIGNING_KEY');
    expect(codeOf(() => parsePrivateKey(text))).toBe('BAD_SIGNING_KEY');
  }
  expect([isDevelopmentKey(key), isDevelopmentKey(developmentKey())]).toEqual([false, true]);
});
