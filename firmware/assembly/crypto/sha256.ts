// SHA-256 (FIPS 180-4 §6.2) and HMAC-SHA-256 (RFC 2104). Only one hash can be in progress at a time. The
// input is erased from the working memory when a hash is finished.
import { wipe } from './wipe';

const BLOCK: u32 = 64;
const ROUNDS = 64;
const LENGTH_AT: u32 = 56;

// biome-ignore format: tables
const INITIAL_STATE: usize = memory.data<u32>([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]);

// biome-ignore format: tables
const K: usize = memory.data<u32>([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
]);

const SPACE = 32 + BLOCK + 4 * ROUNDS;
const STATE: usize = memory.data(SPACE, 8);
const PENDING: usize = STATE + 32;
const SCHEDULE: usize = PENDING + BLOCK;
const KEY_PAD: usize = memory.data(BLOCK, 8);
let hashed: u32 = 0;

export function sha256Init(): void {
  memory.copy(STATE, INITIAL_STATE, 32);
  hashed = 0;
}

/** Accepts less than 512 MB in total. */
export function sha256Update(data: usize, length: i32): void {
  const end = data + length;
  let filled = hashed % BLOCK;
  hashed += length;
  while (filled + <u32>(end - data) >= BLOCK) {
    memory.copy(PENDING + filled, data, BLOCK - filled);
    hashBlock();
    data += BLOCK - filled;
    filled = 0;
  }
  memory.copy(PENDING + filled, data, end - data);
}

/** Pads (§5.1.1), hashes the remaining bytes and writes the 32 bytes to `out`. */
export function sha256Final(out: usize): void {
  let filled = hashed % BLOCK;
  store<u8>(PENDING + filled, 0x80);
  filled += 1;
  memory.fill(PENDING + filled, 0, BLOCK - filled);
  if (filled > LENGTH_AT) {
    hashBlock();
    memory.fill(PENDING, 0, BLOCK);
  }
  store<u64>(PENDING, bswap<u64>((<u64>hashed) << 3), LENGTH_AT);
  hashBlock();
  for (let i = 0; i < 32; i += 4) store<u32>(out + i, bswap<u32>(load<u32>(STATE + i)));
  wipe(STATE, SPACE);
}

/** Writes the 32 bytes of HMAC-SHA-256 to `out`. The key has at most 64 bytes. */
export function hmacSha256(out: usize, key: usize, keyLength: i32, message: usize, length: i32): void {
  memory.fill(KEY_PAD, 0, BLOCK);
  memory.copy(KEY_PAD, key, keyLength);
  hashKeyed(out, 0x36363636, message, length);
  hashKeyed(out, 0x36363636 ^ 0x5c5c5c5c, out, 32);
  wipe(KEY_PAD, BLOCK);
}

/**
 * Hashes the padded key and then the message. `change` is the XOR of the previous and the new pad, so that
 * the key in KEY_PAD gets the new pad.
 */
function hashKeyed(out: usize, change: u32, message: usize, length: i32): void {
  for (let i: u32 = 0; i < BLOCK; i += 4) store<u32>(KEY_PAD + i, load<u32>(KEY_PAD + i) ^ change);
  sha256Init();
  sha256Update(KEY_PAD, BLOCK);
  sha256Update(message, length);
  sha256Final(out);
}

function hashBlock(): void {
  for (let i: u32 = 0; i < BLOCK; i += 4) store<u32>(SCHEDULE + i, bswap<u32>(load<u32>(PENDING + i)));
  for (let w = SCHEDULE + BLOCK; w < SCHEDULE + 4 * ROUNDS; w += 4) {
    const w15 = load<u32>(w - 60);
    const w2 = load<u32>(w - 8);
    const sigma0 = rotr(w15, 7) ^ rotr(w15, 18) ^ (w15 >> 3);
    const sigma1 = rotr(w2, 17) ^ rotr(w2, 19) ^ (w2 >> 10);
    store<u32>(w, sigma1 + load<u32>(w - 28) + sigma0 + load<u32>(w - 64));
  }
  runRounds();
}

function runRounds(): void {
  let a = load<u32>(STATE);
  let b = load<u32>(STATE, 4);
  let c = load<u32>(STATE, 8);
  let d = load<u32>(STATE, 12);
  let e = load<u32>(STATE, 16);
  let f = load<u32>(STATE, 20);
  let g = load<u32>(STATE, 24);
  let h = load<u32>(STATE, 28);
  for (let i = 0; i < 4 * ROUNDS; i += 4) {
    const sum1 = rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25);
    const t1 = h + sum1 + (g ^ (e & (f ^ g))) + load<u32>(K + i) + load<u32>(SCHEDULE + i);
    const sum0 = rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22);
    const t2 = sum0 + ((a & b) | (c & (a | b)));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  addTo(0, a);
  addTo(4, b);
  addTo(8, c);
  addTo(12, d);
  addTo(16, e);
  addTo(20, f);
  addTo(24, g);
  addTo(28, h);
}

function addTo(at: usize, value: u32): void {
  store<u32>(STATE + at, load<u32>(STATE + at) + value);
}
