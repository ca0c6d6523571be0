// The layout of the working memory of this directory. All temporaries lie here, so that one fill at the end
// of each call of crypto.ts erases every secret. Sizes are in bytes.
import { wipe } from './wipe';

const FIELD = 40;
const POINT = 4 * FIELD;

const SIZE = 3056;
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

// verify.ts: the multiples of −A share this memory, because nothing is hashed while they are in use
export const VERIFY_MULTIPLES: usize = START;

// scalar.ts: a word that is shifted out, then a sum below 2L; an intermediate scalar
export const SCALAR_SUM: usize = VERIFY_MULTIPLES + 8 * POINT;
export const SCALAR: usize = SCALAR_SUM + 40;

// field.ts: powers; an element's canonical limbs, and its bytes
export const POWER: usize = SCALAR + 32;
export const POWER_11: usize = POWER + FIELD;
export const POWER_ONES: usize = POWER_11 + FIELD;
export const POWER_SQUARED: usize = POWER_ONES + FIELD;
export const FIELD_LIMBS: usize = POWER_SQUARED + FIELD;
export const FIELD_BYTES: usize = FIELD_LIMBS + FIELD;

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

// ed25519.ts: SHA-512 of the key; nonce; challenge; public key; signature
export const EXPANDED_KEY: usize = COMB_SUM + POINT;
export const NONCE: usize = EXPANDED_KEY + 64;
export const CHALLENGE: usize = NONCE + 64;
export const PUBLIC_KEY: usize = CHALLENGE + 64;
export const SIGNATURE: usize = PUBLIC_KEY + 32;

// verify.ts: −A and a multiple of it; the challenge and its digits; a point's bytes
export const VERIFY_POINT: usize = SIGNATURE + 64;
export const VERIFY_SUM: usize = VERIFY_POINT + POINT;
export const VERIFY_CHALLENGE: usize = VERIFY_SUM + POINT;
export const VERIFY_DIGITS: usize = VERIFY_CHALLENGE + 64;
export const VERIFY_BYTES: usize = VERIFY_DIGITS + 256;
const END: usize = VERIFY_BYTES + 32;

/** Wipes the whole working memory. */
export function wipeScratch(): void {
  if (END - START !== SIZE) ERROR('SIZE must equal the size of the layout above');
  if (CHILD + 40 > SCALAR_SUM) ERROR('what is hashed with reaches beyond the multiples of −A');
  wipe(START, SIZE);
}
