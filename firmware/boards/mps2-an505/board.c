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

// Writing the time restarts the watchdog. When it expires, it raises a non-maskable interrupt, which calls
// trap(). When it expires a second time, it resets the chip.
static void start_watchdog(uint32_t milliseconds) {
  WDOGLOAD = milliseconds * S32K_KHZ;
  WDOGCONTROL = WDOGCONTROL_INTEN | WDOGCONTROL_RESEN;
}

// The watchdog also detects a hang of the non-secure world. While that world hangs, this loop does not run.
void board_begin_turn(void) { start_watchdog(LOOP_MILLISECONDS); }

void board_begin_trap(uint32_t milliseconds) {
  board_hold_interrupts();
  start_watchdog(milliseconds / 2);
}
