#pragma once
#include <stdint.h>

// CRC-32 of IEEE 802.3, as in zlib.
uint32_t crc32(const uint8_t *bytes, uint32_t length);
