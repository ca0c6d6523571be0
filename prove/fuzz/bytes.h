// Little-endian integers of the chain.
#pragma once
#include <stdint.h>
#include <string.h>

static inline uint16_t u16_at(const uint8_t *bytes) { return (uint16_t)(bytes[0] | bytes[1] << 8); }

static inline uint32_t u32_at(const uint8_t *bytes) {
  return u16_at(bytes) | (uint32_t)u16_at(bytes + 2) << 16;
}

static inline void put_u16(uint8_t *out, uint32_t value) {
  out[0] = (uint8_t)value;
  out[1] = (uint8_t)(value >> 8);
}

static inline void put_u32(uint8_t *out, uint32_t value) {
  put_u16(out, value);
  put_u16(out + 2, value >> 16);
}
