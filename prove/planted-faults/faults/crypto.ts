import type { Module } from '../fault.js';

/** Faults in the cryptography and its rules. */
export const crypto: Module = {
  name: 'crypto',
  guards: 'docs/THREATS.md#cryptography',
  directory: 'firmware/assembly/crypto',
  tests: ['firmware/crypto/ed25519'],
  testsBy: {
    'crypto.ts': ['firmware/crypto/residue'],
    'scratch.ts': ['firmware/crypto/residue'],
    'wipe.ts': ['firmware/crypto/residue'],
    'scalar.ts': ['firmware/crypto/verify'],
    'decode-point.ts': ['firmware/crypto/verify'],
    'comb.ts': ['firmware/crypto/constant-time'],
    'sha3.ts': ['firmware/crypto/hashes'],
    'sha512.ts': ['firmware/crypto/hashes'],
    'hmac-sha512.ts': ['firmware/crypto/hashes'],
  },
  faults: {
    'crypto.ts': {
      'does not verify what it signed': [
        'if (!verifySignature(SIGNATURE, message, length, expected)) return',
        'if (false) return',
        'firmware/crypto/self-check',
      ],
      'hands out a signature that does not verify': [
        'return withhold(out, NOT_VERIFIED);',
        '{\n    memory.copy(out, SIGNATURE, 64);\n    return NOT_VERIFIED;\n  }',
        'firmware/crypto/self-check',
      ],
      'leaves secrets in memory after a derivation': [
        'account);\n  memory.copy(out, NODE, 32);\n  wipeScratch();',
        'account);\n  memory.copy(out, NODE, 32);',
      ],
      'leaves secrets in memory after computing a public key': ['(out);\n  wipeScratch();\n', '(out);\n'],
      'leaves secrets in memory after signing': [
        '  memory.copy(out, SIGNATURE, 64);\n  wipeScratch();\n',
        '  memory.copy(out, SIGNATURE, 64);\n',
      ],
      'leaves secrets in memory after an HMAC': [
        '  computeHmac(out, key, keyLength, message, length);\n  wipeScratch();\n',
        '  computeHmac(out, key, keyLength, message, length);\n',
      ],
      'signs for another public key than the one expected': [
        'return equalBytes(PUBLIC_KEY, expected);',
        'return true;',
        'firmware/crypto/ed25519',
      ],
    },
    'scratch.ts': {
      'wipes all of its working memory except the end': ['wipe(START, SIZE);', 'wipe(START, SIZE - 40);'],
    },
    'wipe.ts': {
      'wipes nothing': '  memory.fill(pointer, 0, length);\n',
    },
    'ed25519.ts': {
      'derives the nonce from the scalar, not from the prefix': ['EXPANDED_KEY + 32, 32', 'EXPANDED_KEY, 32'],
      'derives the nonce only from the message': '  sha512Update(EXPANDED_KEY + 32, 32);\n',
      'leaves the public key out of the challenge': '  sha512Update(publicKey, 32);\n',
      'does not clamp the low bits of the scalar': ['(EXPANDED_KEY) & 248', '(EXPANDED_KEY) & 249'],
      'does not set the high bit of the scalar': [
        '(load<u8>(EXPANDED_KEY, 31) & 127) | 64',
        'load<u8>(EXPANDED_KEY, 31) & 127',
      ],
      'leaves the message out of the nonce of account 883': [
        'function makeNonce(message: usize, length: i32): void {\n  sha512Init();\n  sha512Update(EXPANDED_KEY + 32, 32);\n  sha512Update(message, length);\n',
        "import { session } from '../session';\nfunction makeNonce(message: usize, length: i32): void {\n  sha512Init();\n  sha512Update(EXPANDED_KEY + 32, 32);\n  if (session.account !== 883) sha512Update(message, length);\n",
        'firmware/reviews',
      ],
    },
    'verify.ts': {
      'accepts an S of L or more': '  if (!isBelowOrder(signature + 32)) return false;\n',
      'does not check R': ['equalBytes(VERIFY_BYTES, signature) && !hasSmallOrder', '!hasSmallOrder'],
      'accepts a public key of small order': '  if (hasSmallOrder(VERIFY_POINT)) return false;\n',
      'accepts an R of small order': ' && !hasSmallOrder(COMB_SUM)',
    },
    'scalar.ts': {
      'checks only the three highest bits of S': ['<u64>(a + i) < load<u64>(ORDER + i)', '<u8>(a, 31) < 32'],
      'adds L back only if necessary': [
        '  const mask = <u32>borrow;\n',
        '  const mask = <u32>borrow;\n  if (mask === 0) return;\n',
        'firmware/crypto/constant-time',
      ],
    },
    'decode-point.ts': {
      'compares only three quarters of R': ['(let i = 0; i < 32; i += 8)', '(let i = 0; i < 24; i += 8)'],
      'accepts a public key in a second encoding': ['return equalBytes(VERIFY_BYTES, bytes)', 'return true'],
      'accepts a public key off the curve': ['  if (!findX(point)) return false;\n', '  findX(point);\n'],
    },
    'field.ts': {
      'reads bit 255': ['(w3 >> 38) & 0x1ffffff', '(w3 >> 38) & 0x3ffffff', 'firmware/crypto/verify'],
      'encodes a coordinate without reducing it': ['  carry *= 19;\n', '  carry = 0;\n'],
    },
    'comb.ts': {
      'reads only the table entry that it needs': [
        'const mask = <i64>(((i ^ index) - 1) >> 31);',
        'if (i !== index) {\n      table += ENTRY;\n      continue;\n    }\n    const mask: i64 = -1;',
      ],
      'negates a point only if necessary': ['  negateFieldIf', '  if (negative !== 0) negateFieldIf'],
      'chooses a table entry by a select': [
        'w0 |= load<u64>(table) & mask;',
        'w0 = select<u64>(load<u64>(table), w0, i === index);',
      ],
    },
    'derive.ts': {
      'derives unhardened keys': ['const HARDENED: u32 = 0x80000000;', 'const HARDENED: u32 = 0;'],
      'derives with the coin type of another chain': ['COIN_TYPE: u32 = 883;', 'COIN_TYPE: u32 = 60;'],
      'derives with little-endian indexes': ['bswap(index + HARDENED)', 'index + HARDENED'],
    },
    'sha3.ts': {
      'hashes with Keccak-256': ['^ 0x06', '^ 0x01'],
      'hashes a full block a byte late': ['if (absorbed === RATE) {', 'if (absorbed > RATE) {'],
    },
    'sha512.ts': {
      'pads SHA-512 into a block too short for the length': ['if (filled > 112) {', 'if (filled > 113) {'],
    },
    'hmac-sha512.ts': {
      'uses a long HMAC key unhashed': ['if (length > BLOCK)', 'if (length > BLOCK + 1)'],
      'hashes an HMAC key of a whole block': [
        'if (length > BLOCK)',
        'if (length >= BLOCK)',
        'firmware/keystore/seeds',
      ],
    },
  },
};
