#include "board.h"

#include "pins.h"
#include "registers.h"

extern uint32_t ram_start, ram_end;

// What flash and clocks hang on is not reset.
enum {
  KEPT = RESET_IO_QSPI | RESET_PADS_QSPI | RESET_PLL_SYS | RESET_PLL_USB | RESET_SYSCFG,
  USED = RESET_I2C0 | RESET_IO_BANK0 | RESET_PADS_BANK0 | RESET_TIMER | RESET_USBCTRL,
};
enum { WATCHDOG_TICKS_PER_MS = 2000 };  // erratum RP2040-E1: it counts down twice a tick

void keys_start(void);

static void use_pin(uint32_t pin, uint32_t function) {
  GPIO_PAD(pin) = PAD_IE | PAD_DRIVE_4MA | PAD_PUE | PAD_SCHMITT;
  GPIO_CTRL(pin) = function;
}

void board_start(void) {
  SET_BITS(RESETS_RESET) = RESET_ALL & ~KEPT;
  CLEAR_BITS(RESETS_RESET) = USED;
  while (~RESETS_RESET_DONE & USED) continue;
  use_pin(PIN_SDA, FUNCSEL_I2C);
  use_pin(PIN_SCL, FUNCSEL_I2C);
  use_pin(PIN_LEFT, FUNCSEL_SIO);
  use_pin(PIN_RIGHT, FUNCSEL_SIO);
  keys_start();
}

// An interrupt since the last WFE makes the next one return at once, so none is missed.
void board_sleep(void) { __asm__ volatile("wfe" ::: "memory"); }

uint32_t board_microseconds(void) { return TIMER_TIMERAWL; }

void board_hold_interrupts(void) { __asm__ volatile("cpsid i" ::: "memory"); }

void board_release_interrupts(void) { __asm__ volatile("cpsie i" ::: "memory"); }

void board_begin_trap(uint32_t milliseconds) {
  board_hold_interrupts();
  PSM_WDSEL = WDSEL_ALL_BUT_OSCILLATORS;
  WATCHDOG_LOAD = milliseconds * WATCHDOG_TICKS_PER_MS;
  SET_BITS(WATCHDOG_CTRL) = WATCHDOG_CTRL_ENABLE;
}

// In flash and with registers only, because code and stack are cleared too.
__attribute__((noreturn, section(".start"))) static void wipe_and_reset(void) {
  uint32_t *at = &ram_start;
  __asm__ volatile(
      "movs r2, #0\n"
      "1: stmia %0!, {r2}\n"
      "cmp %0, %1\n"
      "blo 1b\n"
      "str %3, [%2]\n"
      "2: b 2b\n"
      : "+l"(at)
      : "l"(&ram_end), "l"(&WATCHDOG_CTRL), "l"(WATCHDOG_CTRL_TRIGGER)
      : "r2", "memory");
  __builtin_unreachable();
}

void board_wipe_and_reset(void) {
  PSM_WDSEL = WDSEL_ALL_BUT_OSCILLATORS;
  void (*const volatile wipe)(void) = wipe_and_reset;  // too far for a direct branch
  wipe();
  for (;;) continue;
}
