#pragma once
#include <stdint.h>

enum { FLASH_ID_BYTES = 8 };

// The chip's unique number from its manufacturer.
void flash_read_id(uint8_t out[FLASH_ID_BYTES]);
