#include "board.h"

#include "buttons.h"
#include "registers.h"

void oled_start(void);

// Port E has the keys left and right. Port F has the key select, which stands for both keys.
enum { PIN_LEFT = 1 << 2, PIN_RIGHT = 1 << 3, PIN_SELECT = 1 << 1 };

static void start_keys(uint32_t port, uint32_t pins) {
  GPIODIR(port) &= ~pins;
  GPIOPUR(port) |= pins;
  GPIODEN(port) |= pins;
}

// A key that is down connects its pin to ground.
uint8_t keys_down(void) {
  if (!GPIODATA(GPIOF, PIN_SELECT)) return KEY_LEFT | KEY_RIGHT;
  return (GPIODATA(GPIOE, PIN_LEFT) ? 0 : KEY_LEFT) | (GPIODATA(GPIOE, PIN_RIGHT) ? 0 : KEY_RIGHT);
}

void board_start(void) {
  RCGC0 |= RCGC0_WDT;
  RCGC1 |= RCGC1_UART0 | RCGC1_SSI0;
  RCGC2 |= RCGC2_GPIOA | RCGC2_GPIOC | RCGC2_GPIOE | RCGC2_GPIOF;
  (void)RCGC2;  // a block is usable only three cycles later
  start_keys(GPIOE, PIN_LEFT | PIN_RIGHT);
  start_keys(GPIOF, PIN_SELECT);
  oled_start();
  tick_start();
}

// The watchdog resets the chip when it expires for the second time.
void board_begin_trap(uint32_t milliseconds) {
  board_hold_interrupts();
  WDTLOAD = milliseconds * (CLOCK_MHZ * 1000 / 2);
  WDTCTL = WDTCTL_INTEN | WDTCTL_RESEN;
}
