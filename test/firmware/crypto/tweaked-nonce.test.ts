import { Point } from '@noble/ed25519';
import { derivePrivateKey, seedFromMnemonic } from '@zbc-signer/chain';
import {
  CryptoModule,
  NOT_COMMITTED,
  NOT_VERIFIED,
  SIGNED,
  WRONG_KEY,
} from '../../../testkit/crypto/crypto-module.js';
import { opensslPublicKey, opensslVerify } from '../../../testkit/crypto/openssl.js';
import { createRandom } from '../../../testkit/crypto/random.js';
import { sha3 } from '../../../testkit/crypto/sha3.js';
import { noncePoint, signRevealed, tweakOf } from '../../../testkit/crypto/tweaked-nonce.js';
import { compileWithoutVerification } from '../../../testkit/device/altered-firmware.js';
import { antiExfil } from '../../../testkit/repository/vectors.js';

const random = createRandom(49);
const NOTHING = new Uint8Array(64);

interface Signing {
  key: Uint8Array;
  message: Uint8Array;
  revealed: Uint8Array;
  commitment?: Uint8Array;
  publicKey?: Uint8Array;
  point?: Uint8Array;
}

/** Calls `commit` and `signRevealed`, with R0 of the first for the second. Returns outcomes and outputs. */
function run(
  { key, message, revealed, commitment = sha3(revealed), publicKey = opensslPublicKey(key), point }: Signing,
  module = new CryptoModule(),
) {
  const [keyAt, messageAt, revealedAt, commitmentAt, publicAt, pointAt] = [
    key,
    message,
    revealed,
    commitment,
    publicKey,
    new Uint8Array(64).fill(0xee),
  ].map(bytes => module.place(bytes)) as [number, number, number, number, number, number];
  const out = module.place(new Uint8Array(64).fill(0xee));
  const { memory, exports } = module;
  const read = (at: number, length: number) => memory.slice(at, at + length);
  const committed = exports.commit(pointAt, commitmentAt, messageAt, message.length, keyAt, publicAt);
  const given = read(pointAt, committed === SIGNED ? 32 : 64);
  if (point) memory.set(point, pointAt);
  const outcome = exports.signRevealed(out, messageAt, message.length, keyAt, publicAt, revealedAt, pointAt);
  return { committed, point: given, outcome, signature: read(out, 64) };
}

const draw = (length = 151): Signing => ({
  key: random(32),
  message: random(length),
  revealed: random(32),
});

test('R0 and the signature of any key, message and random bytes are those of another implementation', () => {
  for (let length = 1; length <= 300; length += 3) {
    const signing = draw(length);
    const { key, message, revealed } = signing;
    const { point, outcome, signature } = run(signing);
    expect(Buffer.from(point)).toEqual(noncePoint(key, sha3(revealed), message));
    expect([outcome, Buffer.from(signature)]).toEqual([SIGNED, signRevealed(key, message, revealed)]);
    expect(opensslVerify(signature, message, opensslPublicKey(key))).toBe(true);
    const tweak = Point.BASE.multiply(tweakOf(point, revealed));
    expect(Point.fromBytes(point).add(tweak).toBytes()).toEqual(signature.slice(0, 32));
  }
});

const valued = antiExfil.cases.flatMap(({ name, values }) => (values ? [{ name, ...values }] : []));

test.each(valued)('gives the values of the vector: $name', ({ account, ...values }) => {
  const [revealed, message] = [values.n, values.message].map(hex => Buffer.from(hex, 'hex')) as [
    Buffer,
    Buffer,
  ];
  const key = derivePrivateKey(seedFromMnemonic(antiExfil.mnemonic), account);
  const commitment = Buffer.from(values.commitment, 'hex');
  const { point, outcome, signature } = run({ key, message, revealed, commitment });
  const tweak = Buffer.from(tweakOf(point, revealed).toString(16).padStart(64, '0'), 'hex').reverse();
  const given = [point, tweak, signature].map(bytes => Buffer.from(bytes).toString('hex'));
  expect([outcome, ...given]).toEqual([SIGNED, values.nonce_point, values.tweak, values.signature]);
});

test('R0 is another for each other commitment and message, and none is the nonce of RFC 8032', () => {
  const first = draw(48);
  const others = [{}, { commitment: random(32) }, { message: random(48) }, { key: random(32) }];
  const points = others.map(other => Buffer.from(run({ ...first, ...other }).point).toString('hex'));
  const module = new CryptoModule();
  const plain = Buffer.from(module.sign(first.message, first.key)!).toString('hex', 0, 32);
  expect(new Set([...points, plain]).size).toBe(5);
});

test('nothing is released if one bit of R0, of the random bytes or of the public key is another', () => {
  const signing = draw();
  const { point } = run(signing);
  const flipped = (bytes: Uint8Array, bit: number) =>
    bytes.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
  const publicKey = opensslPublicKey(signing.key);
  for (let bit = 0; bit < 256; bit += 5) {
    const commitment = sha3(signing.revealed);
    const wrong: [Partial<Signing>, number][] = [
      [{ point: flipped(point, bit) }, NOT_COMMITTED],
      [{ commitment, revealed: flipped(signing.revealed, bit) }, NOT_COMMITTED],
      [{ publicKey: flipped(publicKey, bit) }, WRONG_KEY],
    ];
    for (const [change, wanted] of wrong) {
      const { committed, point: given, outcome, signature } = run({ ...signing, ...change });
      expect([outcome, signature]).toEqual([wanted, NOTHING]);
      if (wanted === WRONG_KEY) expect([committed, given]).toEqual([WRONG_KEY, NOTHING]);
    }
  }
});

test('a signature that does not verify is withheld', async () => {
  const module = new CryptoModule(await compileWithoutVerification('crypto.wasm'));
  const { committed, outcome, signature } = run(draw(), module);
  expect([committed, outcome, signature]).toEqual([SIGNED, NOT_VERIFIED, NOTHING]);
});
