#pragma once
#include <stdint.h>

enum { FLASH_ID_BYTES = 8 };

// The number that the chip's maker gave it.
void flash_read_id(uint8_t out[FLASH_ID_BYTES]);
