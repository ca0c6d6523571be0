import { Point } from '@noble/ed25519';
import { Emulator } from '@zbc-signer/emulator';
import { u32 } from '../../../testkit/crypto/little-endian.js';
import { opensslVerify } from '../../../testkit/crypto/openssl.js';
import { sha3 } from '../../../testkit/crypto/sha3.js';
import { tweakOf } from '../../../testkit/crypto/tweaked-nonce.js';
import { apdu, getPublicKey, splitReply } from '../../../testkit/device/apdu.js';
import { LEAKS, leakingTransport } from '../../../testkit/device/leaking-signer.js';

const TEXT = Buffer.from('Sign in to example.org');

let emulator: Emulator;
beforeEach(async () => {
  emulator = await Emulator.start();
});
afterEach(() => emulator.stop());

/** Signs a message, and returns what a host must check, with the reason for which it stops; R0 only with `pinned`. */
async function sign(transport: ReturnType<Emulator['transport']>, fill: number, pinned?: Buffer) {
  const { data: key } = splitReply(await transport.exchange(getPublicKey(0)));
  const publicKey = key.subarray(0, 32);
  const revealed = Buffer.alloc(32, fill);
  const header = apdu(0x07, 0, Buffer.concat([u32(0), u32(TEXT.length), sha3(revealed)]));
  header[3] = 4;
  await transport.exchange(header);
  const [approved] = await Promise.all([transport.exchange(apdu(0x07, 1, TEXT)), emulator.approve()]);
  const { data: point } = splitReply(approved);
  if (point.length !== 32) return { stops: 'no R0', point };
  if (pinned && !point.equals(pinned)) return { stops: 'another R0', point };
  const decoded = decode(point);
  if (!decoded?.isTorsionFree() || decoded.equals(Point.ZERO))
    return { stops: 'no point of prime order', point };
  const { data: signature, status } = splitReply(await transport.exchange(apdu(0x07, 2, revealed)));
  if (status !== '9000') return { stops: 'no signature', point };
  const wanted = decoded.add(Point.BASE.multiply(tweakOf(point, revealed))).toBytes();
  if (!signature.subarray(0, 32).equals(wanted)) return { stops: 'R is not of R0', point };
  return { stops: opensslVerify(signature, TEXT, publicKey) ? '' : 'it does not verify', point };
}

function decode(bytes: Uint8Array): Point | undefined {
  try {
    return Point.fromBytes(bytes);
  } catch {
    return undefined;
  }
}

const STOPS: Record<string, string[]> = {
  'is honest': ['', ''],
  'ignores the commitment': ['no R0', 'no R0'],
  'signs before the bytes are revealed': ['no R0', 'no R0'],
  'gives R0 only with the signature': ['no R0', 'no R0'],
  'signs with another nonce than that of R0': ['R is not of R0', 'R is not of R0'],
  'leaves out the tweak': ['R is not of R0', 'R is not of R0'],
  'gives another R0 at each attempt': ['', 'another R0'],
  'adds a point of order 8 to R0': ['no point of prime order', 'no point of prime order'],
  'gives the neutral point': ['no point of prime order', 'no point of prime order'],
  'gives no point': ['no point of prime order', 'no point of prime order'],
};

describe('a host that checks R0 and R stops with a signer that', () => {
  test.each(Object.entries(STOPS))('%s', async (name, stops) => {
    const transport = leakingTransport(emulator.transport(), LEAKS[name]!);
    const first = await sign(transport, 7);
    const second = await sign(transport, 7, stops[0] === '' ? first.point : undefined);
    expect([first.stops, second.stops]).toEqual(stops);
  });

  test('throws away each signature whose R begins with a bit 1', async () => {
    const name = 'throws away each signature whose R begins with a bit 1';
    const transport = leakingTransport(emulator.transport(), LEAKS[name]!);
    const stops: string[] = [];
    for (let fill = 0; fill < 16; fill++) stops.push((await sign(transport, fill)).stops);
    expect(new Set(stops)).toEqual(new Set(['', 'no signature']));
  });
});

test('each signer with a leak has a test', () => {
  expect(Object.keys(LEAKS).slice(0, -1)).toEqual(Object.keys(STOPS));
});
