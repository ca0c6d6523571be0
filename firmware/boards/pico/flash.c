#include <stddef.h>

#include "board.h"
#include "flash.h"
#include "registers.h"
#include "rom.h"

enum { FLASH_BYTES = 2 << 20, SECTOR_BYTES = 4096, SECTOR_ERASE = 0x20, XIP_NOCACHE_NOALLOC = 0x13000000 };
enum { READ_UNIQUE_ID = 0x4B, DUMMY_BYTES = 4 };
enum { ROM_FUNC_TABLE = 0x14, ROM_TABLE_LOOKUP = 0x18 };

static const uint32_t old_seed_sector = FLASH_BYTES - 3 * SECTOR_BYTES;
const uint32_t settings_sectors[2] = {FLASH_BYTES - 2 * SECTOR_BYTES, FLASH_BYTES - SECTOR_BYTES};

// Reads flash without the cache, so that no copy of an old seed stays in the cache.
const uint8_t *flash_read(uint32_t offset) { return (const uint8_t *)(uintptr_t)(XIP_NOCACHE_NOALLOC + offset); }

void *rom_function(char first, char second) {
  void *(*const lookup)(uint16_t *, uint32_t) = (void *(*)(uint16_t *, uint32_t))(uintptr_t)*(uint16_t *)ROM_TABLE_LOOKUP;
  return lookup((uint16_t *)(uintptr_t)*(uint16_t *)ROM_FUNC_TABLE, (uint32_t)first | (uint32_t)second << 8);
}

// Prepares commands to flash. Until end_commands(), flash cannot be read, and code in flash cannot run. This
// code runs from SRAM.
static void begin_commands(void) {
  void (*const connect_internal_flash)(void) = rom_function('I', 'F');
  void (*const flash_exit_xip)(void) = rom_function('E', 'X');
  board_hold_interrupts();
  connect_internal_flash();
  flash_exit_xip();
}

// Ends the commands to flash. If a USB frame started while interrupts were held, its interrupt would be
// handled too late (hold_until_frame in usb.c), so the read of USB_SOF_RD clears it. While a loader runs, the
// USB controller is in reset, and the register is not read.
static void end_commands(void) {
  void (*const flash_flush_cache)(void) = rom_function('F', 'C');
  void (*const flash_enter_cmd_xip)(void) = rom_function('C', 'X');
  flash_flush_cache();
  flash_enter_cmd_xip();
  if (RESETS_RESET_DONE & RESET_USBCTRL) (void)USB_SOF_RD;
  board_release_interrupts();
}

// Erases the sector, writes the page, or both.
static void change_flash(uint32_t offset, bool erases, const uint8_t *page) {
  void (*const flash_range_erase)(uint32_t, uint32_t, uint32_t, uint8_t) = rom_function('R', 'E');
  void (*const flash_range_program)(uint32_t, const uint8_t *, uint32_t) = rom_function('R', 'P');
  begin_commands();
  if (erases) flash_range_erase(offset, SECTOR_BYTES, SECTOR_BYTES, SECTOR_ERASE);
  if (page) flash_range_program(offset, page, FLASH_PAGE_BYTES);
  end_commands();
}

static uint8_t exchange_byte(uint8_t sent) {
  SSI_DR0 = sent;
  while (!(SSI_SR & SSI_SR_RFNE)) continue;
  return (uint8_t)SSI_DR0;
}

// The select line is controlled by this function, as in the boot ROM. The ROM's flash_flush_cache() releases
// it.
void flash_read_id(uint8_t out[FLASH_ID_BYTES]) {
  begin_commands();
  CLEAR_BITS(QSPI_SS_CTRL) = QSPI_OUTOVER;
  SET_BITS(QSPI_SS_CTRL) = QSPI_OUTOVER_LOW;
  exchange_byte(READ_UNIQUE_ID);
  for (int i = 0; i < DUMMY_BYTES; i++) exchange_byte(0);
  for (int i = 0; i < FLASH_ID_BYTES; i++) out[i] = exchange_byte(0);
  SET_BITS(QSPI_SS_CTRL) = QSPI_OUTOVER;
  end_commands();
}

void flash_write(uint32_t offset, const uint8_t page[FLASH_PAGE_BYTES]) { change_flash(offset, true, page); }

// Erases the sector unless it is already blank, even if a loss of power damaged the record of the seed.
void board_erase_old_seed(void) {
  const uint8_t *sector = flash_read(old_seed_sector);
  bool is_erased = true;
  for (uint32_t at = 0; at < SECTOR_BYTES; at++) is_erased &= sector[at] == 0xFF;
  if (!is_erased) change_flash(old_seed_sector, true, NULL);
}

// The loader uses these two functions.
void flash_erase(uint32_t offset) { change_flash(offset, true, NULL); }

void flash_program(uint32_t offset, const uint8_t *page) { change_flash(offset, false, page); }

// The tags that `zbc-signer image sign` writes after an image. The first tag that the signature covers
// contains the counter. The address is 0 if the image was not linked for a loader (slot.ld).
extern const uint32_t signed_tags[] __attribute__((weak));
enum { PROTECTED_TAGS = 12 << 16 | 0x6908, COUNTER_TAG = 4 << 16 | 0x50 };

uint32_t board_security_counter(void) {
  const bool is_signed = signed_tags && signed_tags[0] == PROTECTED_TAGS && signed_tags[1] == COUNTER_TAG;
  return is_signed ? signed_tags[2] : 0;
}
