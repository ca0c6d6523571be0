// Simulated flash sectors in the memory of the code, which a reset does not clear. The first two are for the
// settings, and the next two for the model of a vault.
#include <string.h>

#include "board.h"

enum { SECTOR_BYTES = 4096, FIRST_SECTOR = 3 << 20 };

const uint32_t settings_sectors[2] = {FIRST_SECTOR, FIRST_SECTOR + SECTOR_BYTES};

// Defined in memory.ld. Offsets count from this address.
extern uint8_t flash_start[];

const uint8_t *flash_read(uint32_t offset) { return flash_start + offset; }

void flash_write(uint32_t offset, const uint8_t page[FLASH_PAGE_BYTES]) {
  board_hold_interrupts();
  memset(flash_start + offset, 0xFF, SECTOR_BYTES);
  memcpy(flash_start + offset, page, FLASH_PAGE_BYTES);
  board_release_interrupts();
}
