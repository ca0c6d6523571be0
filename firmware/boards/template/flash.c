// PORT: set the size of flash and of a sector. The settings use the last two sectors.
#include <string.h>

#include "board.h"

enum { FLASH_BYTES = 256 << 10, SECTOR_BYTES = 4096 };

const uint32_t settings_sectors[2] = {FLASH_BYTES - 2 * SECTOR_BYTES, FLASH_BYTES - SECTOR_BYTES};

// Defined in memory.ld; the offsets above count from this address.
extern const uint8_t flash_start[];

const uint8_t *flash_read(uint32_t offset) { return flash_start + offset; }

// PORT: erase the sector, then program its first page. Meanwhile, code in the same flash must wait or run
// from RAM.
void flash_write(uint32_t offset, const uint8_t page[FLASH_PAGE_BYTES]) { (void)offset, (void)page; }
