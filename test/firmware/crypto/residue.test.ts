import { createHash, createHmac } from 'node:crypto';
import { CryptoModule, SIGNED } from '../../../testkit/crypto/crypto-module.js';
import { opensslPublicKey } from '../../../testkit/crypto/openssl.js';
import { createRandom } from '../../../testkit/crypto/random.js';
import { sha3 } from '../../../testkit/crypto/sha3.js';
import { noncePoint, ownNonce, signRevealed } from '../../../testkit/crypto/tweaked-nonce.js';

const WINDOW = 8;
const random = createRandom(13);
const seed = random(64);
const key = random(32);
const message = random(151);
const revealed = random(32);

const hmac = (secret: Uint8Array, data: Uint8Array) => createHmac('sha512', secret).update(data).digest();
const sha512 = (...parts: Uint8Array[]) => createHash('sha512').update(Buffer.concat(parts)).digest();

/** Every node of m/44'/883'/5', each a key and its chain code. */
function secretNodes(): Buffer[] {
  const nodes = [hmac(Buffer.from('ed25519 seed'), seed)];
  for (const index of [44, 883, 5]) {
    const parent = nodes.at(-1)!;
    const child = Buffer.concat([Buffer.alloc(1), parent.subarray(0, 32), Buffer.alloc(4)]);
    child.writeUInt32BE(index + 0x80000000, 33);
    nodes.push(hmac(parent.subarray(32), child));
  }
  return nodes;
}

/** The clamped scalar, the prefix, and the nonce before and after its reduction. */
function signingSecrets(): Buffer[] {
  const expanded = sha512(key);
  const nonce = sha512(expanded.subarray(32), message);
  expanded[0]! &= 248;
  expanded[31] = (expanded[31]! & 127) | 64;
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const value = BigInt(`0x${Buffer.from(nonce).reverse().toString('hex')}`) % order;
  return [expanded, nonce, Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse()];
}

function windows(bytes: Uint8Array): string[] {
  const hex = Buffer.from(bytes).toString('hex');
  return Array.from({ length: bytes.length - WINDOW + 1 }, (_, i) => hex.slice(2 * i, 2 * (i + WINDOW)));
}

/**
 * The number of eight-byte sequences of the secrets, also with the bytes of each 64-bit word reversed, that
 * are in the memory.
 */
function countResidue(memory: Uint8Array, secrets: Uint8Array[]): number {
  const found = new Set(windows(memory));
  const swapped = secrets.map(secret => Buffer.from(secret).swap64());
  return [...secrets, ...swapped].flatMap(windows).filter(window => found.has(window)).length;
}

/** Every node of m/"ZBC signer"/"contacts" of SLIP-0021. */
function contactNodes(): Buffer[] {
  const nodes = [hmac(Buffer.from('Symmetric key seed'), seed)];
  for (const label of ['\0ZBC signer', '\0contacts'])
    nodes.push(hmac(nodes.at(-1)!.subarray(0, 32), Buffer.from(label)));
  return nodes;
}

const point = noncePoint(key, sha3(revealed), message);
const proof = hmac(contactNodes().at(-1)!.subarray(32), message);
const ownPart = ownNonce(key, sha3(revealed), message);
const secrets = [
  seed,
  key,
  ...secretNodes(),
  ...signingSecrets(),
  ...contactNodes(),
  proof,
  ownPart,
  signRevealed(key, message, revealed).subarray(32),
];

describe('secret data in memory', () => {
  test('is found by the search of this test when nothing is wiped', () => {
    const { exports, memory, ...module } = open();
    exports.expandKey(module.keyAt);
    exports.signExpanded(module.out, module.messageAt, message.length, module.keyAt, module.keyAt);
    expect(countResidue(memory, [signingSecrets()[0]!])).toBeGreaterThan(0);
    expect(countResidue(memory, [signingSecrets()[2]!])).toBeGreaterThan(0);
    exports.deriveMaster(module.seedAt, 64);
    expect(countResidue(memory, [secretNodes()[0]!])).toBeGreaterThan(0);
  });

  test.each([
    ['deriveKey', 32, ({ exports, out, seedAt }) => exports.deriveKey(out, seedAt, 5)],
    ['publicKey', 32, ({ exports, out, keyAt }) => exports.publicKey(out, keyAt)],
    [
      'sign',
      64,
      ({ exports, out, keyAt, messageAt, publicKeyAt }) =>
        exports.sign(out, messageAt, message.length, keyAt, publicKeyAt),
    ],
    [
      'hmacSha512',
      64,
      ({ exports, out, keyAt, messageAt }) => exports.hmacSha512(out, keyAt, 32, messageAt, 100),
    ],
    [
      'proveContact',
      32,
      ({ exports, out, seedAt, messageAt }) => exports.proveContact(out, seedAt, messageAt, message.length),
    ],
  ] as [string, number, (module: ReturnType<typeof open>) => unknown][])(
    'does not remain after %s',
    (_, length, call) => {
      const fresh = new CryptoModule().memory.slice();
      const module = open();
      call(module);
      expect(module.memory.slice(module.out, module.out + length)).not.toEqual(new Uint8Array(length));
      module.clear();
      expect(countResidue(module.memory, secrets)).toBe(0);
      expect(Buffer.compare(module.memory, fresh)).toBe(0); // all working memory is zero again
    },
  );

  test('does not remain after commit and signRevealed, which wipe all working memory', () => {
    const fresh = new CryptoModule().memory.slice();
    const { exports, memory, clear, place, out, keyAt, messageAt, publicKeyAt } = open();
    const [commitmentAt, revealedAt, pointAt] = [sha3(revealed), revealed, point].map(place) as [
      number,
      number,
      number,
    ];
    const { length } = message;
    expect(exports.commit(out, commitmentAt, messageAt, length, keyAt, publicKeyAt)).toBe(SIGNED);
    expect(Buffer.from(memory.slice(out, out + 32))).toEqual(point);
    expect(countResidue(memory.subarray(0, exports.buffer()), secrets)).toBe(0);
    exports.signRevealed(out, messageAt, length, keyAt, publicKeyAt, revealedAt, pointAt);
    memory[pointAt]! ^= 1;
    exports.signRevealed(out, messageAt, length, keyAt, publicKeyAt, revealedAt, pointAt);
    clear();
    expect(countResidue(memory, secrets)).toBe(0);
    expect(Buffer.compare(memory, fresh)).toBe(0);
  });

  test('does not remain after isContactProof, whose computed proof is secret', () => {
    const fresh = new CryptoModule().memory.slice();
    const { exports, memory, clear, out, seedAt, messageAt } = open();
    const check = () => exports.isContactProof(out, seedAt, messageAt, message.length);
    memory.set(proof.subarray(0, 32), out);
    expect(check()).toBe(1);
    memory.fill(0, out, out + 32);
    expect(check()).toBe(0);
    clear();
    expect(countResidue(memory, secrets)).toBe(0);
    expect(Buffer.compare(memory, fresh)).toBe(0);
  });

  test('does not remain after wipe', () => {
    const module = open();
    module.exports.wipe(module.seedAt, 64);
    module.exports.wipe(module.keyAt, 32);
    expect(countResidue(module.memory, [seed, key])).toBe(0);
  });
});

/** A new instance that holds the inputs. */
function open() {
  const module = new CryptoModule();
  const [seedAt, keyAt, messageAt] = [module.place(seed), module.place(key), module.place(message)];
  const out = module.place(new Uint8Array(64));
  return {
    exports: module.exports,
    memory: module.memory,
    clear: () => module.clear(),
    place: (bytes: Uint8Array) => module.place(bytes),
    seedAt,
    keyAt,
    messageAt,
    publicKeyAt: module.place(opensslPublicKey(key)),
    out,
  };
}
