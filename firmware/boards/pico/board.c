#include "board.h"

#include "pins.h"
#include "registers.h"

extern uint32_t text_end, stack_top;

// Blocks that are not reset, because flash and clocks depend on them.
enum {
  KEPT = RESET_IO_QSPI | RESET_PADS_QSPI | RESET_PLL_SYS | RESET_PLL_USB | RESET_SYSCFG,
  USED = RESET_I2C0 | RESET_IO_BANK0 | RESET_PADS_BANK0 | RESET_TIMER | RESET_USBCTRL,
};
// The watchdog counts down twice per tick (erratum RP2040-E1).
enum { WATCHDOG_TICKS_PER_MS = 2000, HANG_MILLISECONDS = 8000 };

void keys_start(void);
void mpu_start(void);

static void start_watchdog(uint32_t milliseconds) {
  PSM_WDSEL = WDSEL_ALL_BUT_OSCILLATORS;
  WATCHDOG_LOAD = milliseconds * WATCHDOG_TICKS_PER_MS;
  SET_BITS(WATCHDOG_CTRL) = WATCHDOG_CTRL_ENABLE;
}

static void use_pin(uint32_t pin, uint32_t function) {
  GPIO_PAD(pin) = PAD_IE | PAD_DRIVE_4MA | PAD_PUE | PAD_SCHMITT;
  GPIO_CTRL(pin) = function;
}

void board_start(void) {
  mpu_start();
  start_watchdog(HANG_MILLISECONDS);
  SET_BITS(RESETS_RESET) = RESET_ALL & ~KEPT;
  CLEAR_BITS(RESETS_RESET) = USED;
  while (~RESETS_RESET_DONE & USED) continue;
  use_pin(PIN_SDA, FUNCSEL_I2C);
  use_pin(PIN_SCL, FUNCSEL_I2C);
  use_pin(PIN_LEFT, FUNCSEL_SIO);
  use_pin(PIN_RIGHT, FUNCSEL_SIO);
  keys_start();
}

uint32_t board_microseconds(void) { return TIMER_TIMERAWL; }

void board_hold_interrupts(void) { __asm__ volatile("cpsid i" ::: "memory"); }

void board_release_interrupts(void) { __asm__ volatile("cpsie i" ::: "memory"); }

// The watchdog is not restarted in an interrupt, because interrupts would run even if the loop hangs.
void board_begin_turn(void) { WATCHDOG_LOAD = HANG_MILLISECONDS * WATCHDOG_TICKS_PER_MS; }

void board_begin_trap(uint32_t milliseconds) {
  board_hold_interrupts();
  start_watchdog(milliseconds);
}

// This code uses only registers, because it also clears the stack. The code in SRAM is not cleared. It is not
// secret, and flash, from which it would have to run otherwise, may be busy with an erasure.
void board_wipe_and_reset(void) {
  MPU_CTRL = 0;
  PSM_WDSEL = WDSEL_ALL_BUT_OSCILLATORS;
  uint32_t *at = &text_end;
  __asm__ volatile(
      "movs r2, #0\n"
      "1: stmia %0!, {r2}\n"
      "cmp %0, %1\n"
      "blo 1b\n"
      "str %3, [%2]\n"
      "2: b 2b\n"
      : "+l"(at)
      : "l"(&stack_top), "l"(&WATCHDOG_CTRL), "l"(WATCHDOG_CTRL_TRIGGER)
      : "r2", "memory");
  __builtin_unreachable();
}
