#include "crc32.h"

enum { BITS = 8 };
static const uint32_t POLYNOMIAL = 0xEDB88320;

uint32_t crc32(const uint8_t *bytes, uint32_t length) {
  uint32_t crc = 0xFFFFFFFF;
  for (uint32_t i = 0; i < length; i++) {
    crc ^= bytes[i];
    for (int bit = 0; bit < BITS; bit++) crc = crc >> 1 ^ (POLYNOMIAL & -(crc & 1));
  }
  return ~crc;
}
