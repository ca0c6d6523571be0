// The second flash device. It consists of two 16-bit chips side by side, and every command is sent to both.
#include <string.h>

#include "board.h"
#include "registers.h"

enum { FLASH = 0x20000000, SECOND_DEVICE = 32 << 20, SECTOR_BYTES = 256 << 10 };
enum { BOTH = 0x00010001, ERASE = 0x20 * BOTH, CONFIRM = 0xD0 * BOTH, PROGRAM = 0x40 * BOTH };
enum { READ_ARRAY = 0xFF * BOTH, CLEAR_STATUS = 0x50 * BOTH, READY = 0x80 * BOTH };

const uint32_t settings_sectors[2] = {SECOND_DEVICE + SECTOR_BYTES, SECOND_DEVICE + 2 * SECTOR_BYTES};

const uint8_t *flash_read(uint32_t offset) { return (const uint8_t *)(uintptr_t)(FLASH + offset); }

__attribute__((noinline)) static void flash_command(uint32_t address, uint32_t command, uint32_t value) {
  REGISTER(address) = command;
  REGISTER(address) = value;
  while ((REGISTER(address) & READY) != READY) continue;
}

void flash_write(uint32_t offset, const uint8_t page[FLASH_PAGE_BYTES]) {
  const uint32_t address = FLASH + offset;
  REGISTER(address) = CLEAR_STATUS;
  flash_command(address, ERASE, CONFIRM);
  for (uint32_t at = 0; at < FLASH_PAGE_BYTES; at += 4) {
    uint32_t word;
    memcpy(&word, page + at, sizeof word);
    if (word != 0xFFFFFFFF) flash_command(address + at, PROGRAM, word);
  }
  REGISTER(address) = READ_ARRAY;
}
