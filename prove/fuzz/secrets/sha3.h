// SHA3-256 by OpenSSL.
#pragma once
#include <stdint.h>

typedef struct {
  const void *bytes;
  int length;
} part_t;

// The hash of `count` concatenated parts, 32 bytes to `out`.
void sha3_256(uint8_t *out, const part_t *parts, int count);
