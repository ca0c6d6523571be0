#include "board.h"

#include "packets.h"
#include "registers.h"

void nonsecure_start(void);

enum { LOOP_MILLISECONDS = 8000 };

void board_start(void) {
  nonsecure_start();
  tick_start();
  uart_start();
}

// A new value restarts it. When it expires, an interrupt that cannot be held is a trap; the second time, it
// resets the chip.
static void start_watchdog(uint32_t milliseconds) {
  WDOGLOAD = milliseconds * S32K_KHZ;
  WDOGCONTROL = WDOGCONTROL_INTEN | WDOGCONTROL_RESEN;
}

// This also covers a hang of the other world, whose interrupts this loop waits for.
void board_begin_turn(void) { start_watchdog(LOOP_MILLISECONDS); }

void board_begin_trap(uint32_t milliseconds) {
  board_hold_interrupts();
  start_watchdog(milliseconds / 2);
}
