// The layout of the working memory of this directory. All temporaries lie here, so that one fill at the end
// of each call of crypto.ts erases every secret. Sizes are in bytes.
import { wipe } from './wipe';

const FIELD = 40;
const POINT = 4 * FIELD;

const SIZE = 2440;
const START: usize = memory.data(SIZE, 16);

// sha512.ts: 8 words of state, a block, the count of bytes hashed; 80 words of schedule
export const HASH_STATE: usize = START;
export const HASH_BLOCK: usize = HASH_STATE + 64;
export const HASH_LENGTH: usize = HASH_BLOCK + 128;
export const SCHEDULE: usize = HASH_LENGTH + 8;

// hmac-sha512.ts: the key, padded to the length of a block
export const HMAC_KEY: usize = SCHEDULE + 640;

// derive.ts: key and chain code of a level; the bytes that are hashed for the next level
export const NODE: usize = HMAC_KEY + 128;
export const CHILD: usize = NODE + 64;

// tweaked-nonce.ts: the tag that is hashed, while nothing is derived
export const TAG: usize = CHILD;

// ed25519.ts: SHA-512 of the key; nonce; challenge
export const EXPANDED_KEY: usize = CHILD + 40;
export const NONCE: usize = EXPANDED_KEY + 64;
export const CHALLENGE: usize = NONCE + 64;

// verify.ts: the multiples of −A share this memory, because nothing is hashed or signed while they are in
// use; the challenge and a point's bytes are used before or after them
export const VERIFY_MULTIPLES: usize = START;
export const VERIFY_CHALLENGE: usize = CHALLENGE;
export const VERIFY_BYTES: usize = NONCE;

// field.ts: powers; an element's canonical limbs, and its bytes
export const POWER: usize = VERIFY_MULTIPLES + 8 * POINT;
export const POWER_11: usize = POWER + FIELD;
export const POWER_ONES: usize = POWER_11 + FIELD;
export const POWER_SQUARED: usize = POWER_ONES + FIELD;
export const FIELD_LIMBS: usize = POWER_SQUARED + FIELD;
export const FIELD_BYTES: usize = FIELD_LIMBS + FIELD;

// scalar.ts: a word that is shifted out, then a sum below 2L; an intermediate scalar. They share the memory
// of the powers, because no power is computed during the arithmetic of scalars.
export const SCALAR_SUM: usize = POWER;
export const SCALAR: usize = SCALAR_SUM + 40;

// point.ts: temporaries of the formulas
export const TERM_1: usize = FIELD_BYTES + 32;
export const TERM_2: usize = TERM_1 + FIELD;
export const TERM_3: usize = TERM_2 + FIELD;
export const TERM_4: usize = TERM_3 + FIELD;
export const TERM_5: usize = TERM_4 + FIELD;

// comb.ts: the scalar's digits; the selected table entry; the sum
export const COMB_DIGITS: usize = TERM_5 + FIELD;
export const COMB_ENTRY: usize = COMB_DIGITS + 32;
export const COMB_SUM: usize = COMB_ENTRY + 3 * FIELD;

// ed25519.ts: public key; signature
export const PUBLIC_KEY: usize = COMB_SUM + POINT;
export const SIGNATURE: usize = PUBLIC_KEY + 32;

// verify.ts: −A and a multiple of it; the challenge's digits, which are used before the comb
export const VERIFY_POINT: usize = SIGNATURE + 64;
export const VERIFY_SUM: usize = VERIFY_POINT + POINT;
export const VERIFY_DIGITS: usize = COMB_DIGITS;

// tweaked-nonce.ts: the hash of the revealed bytes, the nonce's point and the tweak share the memory of −A, because
// nothing is verified before the signature is made
export const COMMITMENT: usize = VERIFY_POINT;
export const NONCE_POINT: usize = COMMITMENT + 32;
export const TWEAK: usize = NONCE_POINT + 32;
const END: usize = VERIFY_SUM + POINT;

/** Wipes the whole working memory. */
export function wipeScratch(): void {
  if (END - START !== SIZE) ERROR('SIZE must equal the size of the layout above');
  if (CHALLENGE + 64 > POWER) ERROR('the challenge reaches beyond the multiples of −A');
  if (VERIFY_DIGITS + 256 > PUBLIC_KEY) ERROR('the digits reach beyond the memory of the comb');
  if (TWEAK + 64 > VERIFY_SUM) ERROR('the tweak reaches beyond the memory of −A');
  wipe(START, SIZE);
}
