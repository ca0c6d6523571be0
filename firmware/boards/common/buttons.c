#include "buttons.h"

#include "board.h"
#include "debounce.h"

enum { QUEUE = 8 };

// Keys that are down at power-on do not count as a press.
static debounce_t keys = {.ignored = true};
static volatile uint8_t queue[QUEUE];
static volatile uint32_t queued, taken;

void buttons_sample(uint8_t down) {
  const uint8_t press = debounce_sample(&keys, down);
  if (press && queued - taken < QUEUE) {
    queue[queued % QUEUE] = press;
    queued++;
  }
}

uint8_t buttons_take(void) {
  if (queued == taken) return 0;
  const uint8_t press = queue[taken % QUEUE];
  taken++;
  return press;
}

void buttons_forget(void) {
  board_hold_interrupts();
  debounce_forget(&keys);
  taken = queued;
  board_release_interrupts();
}
