#pragma once
#include <stdint.h>

enum { FLASH_ID_BYTES = 8 };

// Reads the unique number that the manufacturer has given the flash chip.
void flash_read_id(uint8_t out[FLASH_ID_BYTES]);
