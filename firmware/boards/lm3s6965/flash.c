#include <string.h>

#include "board.h"
#include "registers.h"

enum { FLASH_BYTES = 256 << 10, PAGE_BYTES = 1 << 10 };

const uint32_t settings_sectors[2] = {FLASH_BYTES - 2 * PAGE_BYTES, FLASH_BYTES - PAGE_BYTES};

const uint8_t *flash_read(uint32_t offset) { return (const uint8_t *)(uintptr_t)offset; }

// Performs a command of the flash controller. While flash is busy, the core stalls when it reads an
// instruction.
static void command(uint32_t action) {
  FMC = FMC_WRKEY | action;
  while (FMC & action) continue;
}

void flash_write(uint32_t offset, const uint8_t page[FLASH_PAGE_BYTES]) {
  board_hold_interrupts();
  USECRL = CLOCK_MHZ - 1;
  FMA = offset;
  command(FMC_ERASE);
  for (uint32_t at = 0; at < FLASH_PAGE_BYTES; at += 4) {
    uint32_t word;
    memcpy(&word, page + at, sizeof word);
    if (word == 0xFFFFFFFF) continue;
    FMA = offset + at;
    FMD = word;
    command(FMC_WRITE);
  }
  board_release_interrupts();
}
