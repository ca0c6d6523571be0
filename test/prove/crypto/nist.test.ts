// Compares with the answers of NIST's validation program and of RFC 4231, from Debian's
// python3-cryptography-vectors.
import { readFileSync } from 'node:fs';
import { CryptoModule } from '../../../testkit/crypto/crypto-module.js';

const DIRECTORY = '/usr/lib/python3/dist-packages/cryptography_vectors';
const MONTE_STEPS = 1000;
/** The module's buffer of 8 KB must hold the message and the digest. */
const MOST_BYTES = 8000;
const module = new CryptoModule();
const fromHex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'));

/** The blocks of a file, separated by empty lines, as values by name. */
function readBlocks(file: string): Map<string, string>[] {
  return readFileSync(`${DIRECTORY}/${file}`, 'utf8')
    .split(/\r?\n\r?\n/)
    .map(
      block => new Map([...block.matchAll(/^(\w+) = (\S*)\r?$/gm)].map(([, name, value]) => [name!, value!])),
    );
}

const readAnswers = (file: string) => readBlocks(file).filter(block => block.has('MD'));

/** Messages consist of whole bytes; the one of length 0 is written as one zero byte. */
const messageOf = (block: Map<string, string>) =>
  fromHex(block.get('Msg')!).subarray(0, Number(block.get('Len')) / 8);

const HASHES: [name: string, file: string, hash: (message: Uint8Array) => Uint8Array, seen: number][] = [
  ['SHA3-256', 'hashes/SHA3/SHA3_256', message => module.sha3(message), 1],
  ['SHA-512', 'hashes/SHA2/SHA512', message => module.sha512(message), 3],
];

describe.each(HASHES)('%s', (_, file, hash, seen) => {
  test.each(['ShortMsg', 'LongMsg'])('gives every digest of %s', kind => {
    const answers = readAnswers(`${file}${kind}.rsp`).filter(
      block => Number(block.get('Len')) <= 8 * MOST_BYTES,
    );
    expect(answers.length).toBeGreaterThan(40);
    for (const block of answers) expect(hash(messageOf(block))).toEqual(fromHex(block.get('MD')!));
  });

  // SHA-2 hashes the last three digests, SHA-3 the last one (SHAVS and SHA3VS, 6.4 and 6.2.3).
  test('gives the hundred digests of the Monte Carlo test', () => {
    const monte = `${file}Monte.rsp`;
    const seed = readBlocks(monte)
      .find(block => block.has('Seed'))!
      .get('Seed')!;
    const answers = readAnswers(monte);
    expect(answers.length).toBe(100);
    let digest: Uint8Array = fromHex(seed);
    for (const block of answers) {
      let last = Array.from({ length: seen }, () => digest);
      for (let step = 0; step < MONTE_STEPS; step++) {
        digest = hash(Uint8Array.from(Buffer.concat(last)));
        last = [...last.slice(1), digest];
      }
      expect(digest).toEqual(fromHex(block.get('MD')!));
    }
  });
});

test('HMAC-SHA512 gives every code of RFC 4231 that is not truncated', () => {
  const answers = readAnswers('HMAC/rfc-4231-sha512.txt');
  expect(answers.length).toBeGreaterThan(4);
  for (const block of answers)
    expect(module.hmacSha512(fromHex(block.get('Key')!), messageOf(block))).toEqual(
      fromHex(block.get('MD')!),
    );
});
