// Signers whose firmware was replaced, for tests of hosts that contribute to the nonce
// (docs/APDU.md#signatures-without-hidden-data). Each shows and approves what an honest signer does, and makes its
// nonces in another way. The keys are those of the test mnemonic.
import { Point } from '@noble/ed25519';
import { derivePrivateKey, seedFromMnemonic, TEST_MNEMONIC } from '@zbc-signer/chain';
import type { Transport } from '@zbc-signer/host';
import { opensslSign } from '../crypto/openssl.js';
import { sha3 } from '../crypto/sha3.js';
import { noncePoint, ownNonce, pointOf, signWithNonce, tweakOf } from '../crypto/tweaked-nonce.js';

/** What a signer knows about the bytes that it signs; `attempt` counts the approvals, from 1. */
interface Signing {
  key: Uint8Array;
  message: Uint8Array;
  commitment: Uint8Array;
  attempt: number;
}

interface Leak {
  /** The reply data of the approval. Default: R0 of an honest signer. */
  approve?(signing: Signing): Uint8Array;
  /** The signature for revealed bytes; undefined if the signer withholds it. Default: that of an honest signer. */
  sign?(signing: Signing, revealed: Uint8Array): Uint8Array | undefined;
}

const TORSION = Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a');

const honestPoint = ({ key, commitment, message }: Signing) => noncePoint(key, commitment, message);
const honest = (signing: Signing, revealed: Uint8Array, own = ownPart(signing)) =>
  signWithNonce(signing.key, signing.message, own, tweakOf(pointOf(own), revealed));

function ownPart({ key, commitment, message }: Signing, salt = ''): Buffer {
  return ownNonce(key, Buffer.concat([commitment, Buffer.from(salt)]).subarray(-32), message);
}

/** The r0 of another commitment, in which the signer could hide 32 bytes. */
const hidden = (signing: Signing) => ownPart({ ...signing, commitment: sha3(signing.key) });

/** Signers by what they do. */
export const LEAKS: Readonly<Record<string, Leak>> = {
  'is honest': {},
  'ignores the commitment': { approve: ({ key, message }) => opensslSign(message, key) },
  'signs before the bytes are revealed': {
    approve: signing => Buffer.concat([honestPoint(signing), opensslSign(signing.message, signing.key)]),
  },
  'gives R0 only with the signature': {
    approve: () => new Uint8Array(),
    sign: (signing, revealed) => Buffer.concat([honestPoint(signing), honest(signing, revealed)]),
  },
  'signs with another nonce than that of R0': {
    sign: (signing, revealed) => honest(signing, revealed, hidden(signing)),
  },
  'leaves out the tweak': {
    sign: signing => signWithNonce(signing.key, signing.message, ownPart(signing), 0n),
  },
  'gives another R0 at each attempt': {
    approve: signing => pointOf(ownPart(signing, `${signing.attempt}`)),
    sign: (signing, revealed) => honest(signing, revealed, ownPart(signing, `${signing.attempt}`)),
  },
  'adds a point of order 8 to R0': {
    approve: signing => Point.fromBytes(honestPoint(signing)).add(TORSION).toBytes(),
    sign: (signing, revealed) => {
      const own = ownPart(signing);
      const point = Point.fromBytes(pointOf(own)).add(TORSION).toBytes();
      return signWithNonce(signing.key, signing.message, own, tweakOf(point, revealed), TORSION);
    },
  },
  'gives the neutral point': { approve: () => Point.ZERO.toBytes() },
  'gives no point': { approve: () => new Uint8Array(32).fill(2) },
  'throws away each signature whose R begins with a bit 1': {
    sign: (signing, revealed) => {
      const signature = honest(signing, revealed);
      return signature[0]! & 1 ? undefined : signature;
    },
  },
};

/**
 * Returns a connection to a signer with a leak. The commands go through `transport` to an honest signer, which shows
 * the reviews; the signer with the leak changes its replies after the approval.
 */
export function leakingTransport(transport: Transport, leak: Leak): Transport {
  let header: Uint8Array = new Uint8Array();
  let uploaded = Buffer.alloc(0);
  let attempt = 0;
  const signing = (): Signing => {
    const view = Buffer.from(header.subarray(5));
    const isTransaction = header[1] === 6;
    const options = header[3]!;
    const at = isTransaction ? 44 + (options & 1 ? 56 : 0) + (options & 2 ? 56 : 0) : 8;
    const key = derivePrivateKey(seedFromMnemonic(TEST_MNEMONIC), view.readUInt32LE(0));
    const bytes = isTransaction ? uploaded.subarray(0, view.readUInt32LE(36)) : uploaded;
    const message = isTransaction ? sha3(Buffer.from('ZBC-TX'), view.subarray(4, 36), bytes) : bytes;
    return { key, message, commitment: view.subarray(at, at + 32), attempt };
  };
  const reply = (data: Uint8Array) => Buffer.concat([data, Buffer.of(0x90, 0)]);
  return {
    close: () => transport.close(),
    exchange: async (apdu, signal) => {
      const [, ins, p1] = apdu;
      const answer = await transport.exchange(apdu, signal);
      if (ins !== 6 && ins !== 7) return answer;
      if (p1 === 0) [header, uploaded] = [apdu.slice(), Buffer.alloc(0)];
      if (p1 === 1) uploaded = Buffer.concat([uploaded, apdu.subarray(5)]);
      if (p1 === 1 && answer.length === 34) {
        attempt++;
        return leak.approve ? reply(leak.approve(signing())) : answer;
      }
      if (p1 !== 2 || answer.length < 64 || !leak.sign) return answer;
      const signature = leak.sign(signing(), apdu.subarray(5));
      if (signature === undefined) return Buffer.of(0x6f, 0);
      if (ins === 7) return reply(signature);
      const bytes = uploaded.subarray(0, Buffer.from(header).readUInt32LE(5 + 36));
      return reply(Buffer.concat([signature, sha3(bytes, signature.slice(-64))]));
    },
  };
}
