// The product of two signed integers of 32 bits, for the translated module (tools/image/rewrite-checks.ts).
#pragma once
#include <stdint.h>

// The same product as a function, for uses that need a function.
int64_t multiply_signed_32(int32_t a, int32_t b);

#ifdef __ARM_ARCH_6M__
// The core multiplies 32 x 32 to 32 bits. The product is therefore the sum of four products of halfwords,
// where the high halfwords are signed. There is no branch.
static inline __attribute__((always_inline)) int64_t product(int32_t a, int32_t b) {
  uint32_t low, x, y;
  __asm__(
      "uxth %[low], %[a]\n"
      "asrs %[a], %[a], #16\n"  // a = its high half
      "uxth %[x], %[b]\n"
      "asrs %[b], %[b], #16\n"  // b = its high half
      "movs %[y], %[low]\n"
      "muls %[low], %[x]\n"     // low * low
      "muls %[x], %[a]\n"       // high of a * low of b
      "muls %[y], %[b]\n"       // low of a * high of b
      "muls %[b], %[a]\n"       // high * high
      "asrs %[a], %[x], #16\n"
      "lsls %[x], %[x], #16\n"
      "adds %[low], %[low], %[x]\n"
      "adcs %[b], %[a]\n"
      "asrs %[a], %[y], #16\n"
      "lsls %[y], %[y], #16\n"
      "adds %[low], %[low], %[y]\n"
      "adcs %[b], %[a]\n"
      : [low] "=&l"(low), [x] "=&l"(x), [y] "=&l"(y), [a] "+l"(a), [b] "+l"(b)
      :
      : "cc");
  return (int64_t)((uint64_t)(uint32_t)b << 32 | low);
}
#else
static inline int64_t product(int32_t a, int32_t b) { return (int64_t)a * b; }
#endif
