// SHA-512, FIPS 180-4 §6.4. Eight rounds are unrolled, so that the variables a to h are renamed from round to round and
// not copied.

export const INITIAL_STATE: usize = memory.data<u64>([
  0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
  0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
], 8);

export const K: usize = memory.data<u64>([
  0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
  0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
  0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
  0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
  0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0xfc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
  0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
  0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
  0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x6ca6351e003826f, 0x142929670a0e6e70,
  0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
  0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
  0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
  0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
  0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
  0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
  0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
  0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
  0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
  0x6f067aa72176fba, 0xa637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
  0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
  0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
], 8);

/** Runs the 80 rounds with the message `schedule` (80 words), and adds the result to `state` (8 words, §6.4.2 steps 2 to 4). */
export function runSha512Rounds(state: usize, schedule: usize): void {
  let a = load<u64>(state, 0);
  let b = load<u64>(state, 8);
  let c = load<u64>(state, 16);
  let d = load<u64>(state, 24);
  let e = load<u64>(state, 32);
  let f = load<u64>(state, 40);
  let g = load<u64>(state, 48);
  let h = load<u64>(state, 56);
  let t = 0;
  for (; t < 640; t += 64) {
    h += (rotr(e, 14) ^ rotr(e, 18) ^ rotr(e, 41)) + (g ^ (e & (f ^ g))) + load<u64>(K + t, 0) + load<u64>(schedule + t, 0);
    d += h;
    h += (rotr(a, 28) ^ rotr(a, 34) ^ rotr(a, 39)) + ((a & (b ^ c)) ^ (b & c));
    g += (rotr(d, 14) ^ rotr(d, 18) ^ rotr(d, 41)) + (f ^ (d & (e ^ f))) + load<u64>(K + t, 8) + load<u64>(schedule + t, 8);
    c += g;
    g += (rotr(h, 28) ^ rotr(h, 34) ^ rotr(h, 39)) + ((h & (a ^ b)) ^ (a & b));
    f += (rotr(c, 14) ^ rotr(c, 18) ^ rotr(c, 41)) + (e ^ (c & (d ^ e))) + load<u64>(K + t, 16) + load<u64>(schedule + t, 16);
    b += f;
    f += (rotr(g, 28) ^ rotr(g, 34) ^ rotr(g, 39)) + ((g & (h ^ a)) ^ (h & a));
    e += (rotr(b, 14) ^ rotr(b, 18) ^ rotr(b, 41)) + (d ^ (b & (c ^ d))) + load<u64>(K + t, 24) + load<u64>(schedule + t, 24);
    a += e;
    e += (rotr(f, 28) ^ rotr(f, 34) ^ rotr(f, 39)) + ((f & (g ^ h)) ^ (g & h));
    d += (rotr(a, 14) ^ rotr(a, 18) ^ rotr(a, 41)) + (c ^ (a & (b ^ c))) + load<u64>(K + t, 32) + load<u64>(schedule + t, 32);
    h += d;
    d += (rotr(e, 28) ^ rotr(e, 34) ^ rotr(e, 39)) + ((e & (f ^ g)) ^ (f & g));
    c += (rotr(h, 14) ^ rotr(h, 18) ^ rotr(h, 41)) + (b ^ (h & (a ^ b))) + load<u64>(K + t, 40) + load<u64>(schedule + t, 40);
    g += c;
    c += (rotr(d, 28) ^ rotr(d, 34) ^ rotr(d, 39)) + ((d & (e ^ f)) ^ (e & f));
    b += (rotr(g, 14) ^ rotr(g, 18) ^ rotr(g, 41)) + (a ^ (g & (h ^ a))) + load<u64>(K + t, 48) + load<u64>(schedule + t, 48);
    f += b;
    b += (rotr(c, 28) ^ rotr(c, 34) ^ rotr(c, 39)) + ((c & (d ^ e)) ^ (d & e));
    a += (rotr(f, 14) ^ rotr(f, 18) ^ rotr(f, 41)) + (h ^ (f & (g ^ h))) + load<u64>(K + t, 56) + load<u64>(schedule + t, 56);
    e += a;
    a += (rotr(b, 28) ^ rotr(b, 34) ^ rotr(b, 39)) + ((b & (c ^ d)) ^ (c & d));
  }
  if (t !== 640) unreachable();
  store<u64>(state, load<u64>(state, 0) + a, 0);
  store<u64>(state, load<u64>(state, 8) + b, 8);
  store<u64>(state, load<u64>(state, 16) + c, 16);
  store<u64>(state, load<u64>(state, 24) + d, 24);
  store<u64>(state, load<u64>(state, 32) + e, 32);
  store<u64>(state, load<u64>(state, 40) + f, 40);
  store<u64>(state, load<u64>(state, 48) + g, 48);
  store<u64>(state, load<u64>(state, 56) + h, 56);
}
