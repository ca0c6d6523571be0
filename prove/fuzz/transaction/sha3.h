// SHA3-256 of OpenSSL.
#pragma once
#include <stdint.h>

typedef struct {
  const void *bytes;
  int length;
} part_t;

// The hash, 32 bytes to `out`, of `count` parts one behind the other.
void sha3_256(uint8_t *out, const part_t *parts, int count);
