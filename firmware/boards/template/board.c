// Traps, keys and display of this board. cortex-m/ has the code that all Cortex-M boards share.
#include "board.h"

#include "buttons.h"
#include "packets.h"
#include "registers.h"

void board_start(void) {
  tick_start();
  uart_start();
}

// PORT: start a watchdog that resets the chip after `milliseconds`.
void board_begin_trap(uint32_t milliseconds) {
  (void)milliseconds;
  board_hold_interrupts();
}

// PORT: return KEY_LEFT, KEY_RIGHT, both or 0, for the keys that are down.
uint8_t keys_down(void) { return 0; }

// PORT: send the frame. Return false if the display did not accept it. Presses then have no effect.
bool display_show(const uint8_t frame[FRAME_BYTES]) {
  (void)frame;
  return false;
}

// PORT: handle a packet from a panel at the other end of the UART. Leave the function empty if the board has
// its own display and keys.
void panel_take(uint8_t type, uint8_t value) { (void)type, (void)value; }
