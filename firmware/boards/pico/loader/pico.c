// The Pico's part of the loader. The loader runs without interrupts, which stay disabled in the NVIC.
#include "platform.h"
#include "registers.h"
#include "rom.h"
#include "trap.h"

enum { XIP_BASE = 0x10000000, SRAM_BASE = 0x20000000, SRAM_BYTES = 264 << 10, HEADER = 256 };
// The loader occupies the first 64 KB of flash. The firmware's stored data is at the end of flash
// (../flash.c).
enum { FLASH_BYTES = 2 << 20, LOADER_BYTES = 64 << 10 };
enum { WITHOUT_PICOBOOT = 2 };

const uint32_t installed_slot = LOADER_BYTES, staged_slot = LOADER_BYTES + SLOT_BYTES;
const uint32_t counter_sectors[2] = {FLASH_BYTES - 5 * SECTOR_BYTES, FLASH_BYTES - 4 * SECTOR_BYTES};

bool vectors_fit(const uint32_t *vectors, uint32_t length) {
  const uint32_t stack = vectors[0] - SRAM_BASE, reset = vectors[1] - (XIP_BASE + LOADER_BYTES + HEADER);
  return stack <= SRAM_BYTES && stack % 4 == 0 && reset < length && reset % 2 == 1;
}

void start_installed(void) {
  const uint32_t *const vectors = (const uint32_t *)(uintptr_t)(XIP_BASE + LOADER_BYTES + HEADER);
  SCB_VTOR = (uint32_t)(uintptr_t)vectors;
  __asm__ volatile("msr msp, %0\n"
                   "cpsie i\n"
                   "bx %1\n"
                   :
                   : "r"(vectors[0]), "r"(vectors[1])
                   : "memory");
  __builtin_unreachable();
}

// The Pico appears only as a drive. With PICOBOOT, a host could read SRAM and flash, and run code (datasheet
// 2.8.5).
void wait_for_image(void) {
  void (*const reset_to_usb_boot)(uint32_t, uint32_t) = rom_function('U', 'B');
  reset_to_usb_boot(0, WITHOUT_PICOBOOT);
  for (;;) continue;
}

void timer_interrupt(void) { trap(); }

void usb_interrupt(void) { trap(); }
