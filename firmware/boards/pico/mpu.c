// Access rights of each part of memory (ARMv6-M, B3.5). Where regions overlap, the region with the higher
// number applies. Fault handlers are exempt.
#include "registers.h"

extern uint32_t text_end;

enum { CTRL_ENABLE = 1, RBAR_VALID = 1 << 4, RASR_ENABLE = 1, EIGHTHS = 8, ALL_EIGHTHS = 0xFF };
enum { READ_WRITE = 1 << 24, READ_ONLY = 5 << 24, NEVER_EXECUTED = 1 << 28 };
enum { NORMAL = 1 << 17, DEVICE = 1 << 16 };
enum { KB_4 = 11, KB_16 = 13, KB_32 = 14, KB_128 = 16, MB_64 = 25, MB_256 = 27, GB_4 = 31 };
// The region that has the end of the code also has data. The code ends within one of its eighths.
enum { LAST_CODE = 0x20020000, EIGHTH_OF_LAST_CODE = 4096 };

static void set_region(uint32_t number, uint32_t address, uint32_t size, uint32_t eighths, uint32_t attributes) {
  MPU_RBAR = address | RBAR_VALID | number;
  MPU_RASR = attributes | (~eighths & ALL_EIGHTHS) << 8 | size << 1 | RASR_ENABLE;
}

void mpu_start(void) {
  const uint32_t last_code_bytes = (uint32_t)(uintptr_t)&text_end - LAST_CODE;
  const uint32_t last_code = (1u << (last_code_bytes + EIGHTH_OF_LAST_CODE - 1) / EIGHTH_OF_LAST_CODE) - 1;
  // Peripherals, SIO, and the registers of the core.
  set_region(0, 0, GB_4, 1 << 2 | 1 << 6 | 1 << 7, READ_WRITE | NEVER_EXECUTED | DEVICE);
  // The control registers of the flash cache and the SSI, which the boot ROM's functions for flash need.
  set_region(1, 0x10000000, MB_256, 1 << 2 | 1 << 4, READ_WRITE | NEVER_EXECUTED | DEVICE);
  set_region(2, 0x10000000, MB_64, ALL_EIGHTHS, READ_ONLY | NEVER_EXECUTED | NORMAL);
  set_region(3, 0x00000000, KB_16, ALL_EIGHTHS, READ_ONLY | NORMAL);
  // Data. The last eighth, below the stack, is not accessible, so that an overflow of the stack causes a
  // fault.
  set_region(4, LAST_CODE, KB_128, ALL_EIGHTHS >> 1, READ_WRITE | NEVER_EXECUTED | NORMAL);
  set_region(5, 0x20000000, KB_128, ALL_EIGHTHS, READ_ONLY | NORMAL);
  set_region(6, LAST_CODE, KB_32, last_code, READ_ONLY | NORMAL);
  set_region(7, 0x20040000, KB_4, ALL_EIGHTHS, READ_WRITE | NEVER_EXECUTED | NORMAL);
  MPU_CTRL = CTRL_ENABLE;
  __asm__ volatile("dsb\nisb" ::: "memory");
}
