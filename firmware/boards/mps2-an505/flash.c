// Sectors in the code's memory, which survive a reset; after those of the settings, a model of a vault has
// two.
#include <string.h>

#include "board.h"

enum { SECTOR_BYTES = 4096, FIRST_SECTOR = 3 << 20 };

const uint32_t settings_sectors[2] = {FIRST_SECTOR, FIRST_SECTOR + SECTOR_BYTES};

// Defined in memory.ld; offsets count from there.
extern uint8_t flash_start[];

const uint8_t *flash_read(uint32_t offset) { return flash_start + offset; }

void flash_write(uint32_t offset, const uint8_t page[FLASH_PAGE_BYTES]) {
  board_hold_interrupts();
  memset(flash_start + offset, 0xFF, SECTOR_BYTES);
  memcpy(flash_start + offset, page, FLASH_PAGE_BYTES);
  board_release_interrupts();
}
