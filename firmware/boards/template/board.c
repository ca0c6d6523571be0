// Traps, keys and display; what holds for every Cortex-M is in cortex-m/.
#include "board.h"

#include "buttons.h"
#include "packets.h"
#include "registers.h"

void board_start(void) {
  tick_start();
  uart_start();
}

// PORT: a watchdog that resets the chip after `milliseconds`.
void board_begin_trap(uint32_t milliseconds) {
  (void)milliseconds;
  board_hold_interrupts();
}

// PORT: KEY_LEFT and KEY_RIGHT of the pins that are down.
uint8_t keys_down(void) { return 0; }

// PORT: sends the frame; false when the display did not take it, and then no press decides anything.
bool display_show(const uint8_t frame[FRAME_BYTES]) {
  (void)frame;
  return false;
}

// PORT: what a panel at the other end of the UART says; nothing for a display and keys on the board.
void panel_take(uint8_t type, uint8_t value) { (void)type, (void)value; }
