#include "buttons.h"

#include "board.h"
#include "connection.h"
#include "pins.h"
#include "registers.h"

// A key that is down connects its pin to ground.
uint8_t keys_down(void) {
  const uint32_t in = ~SIO_GPIO_IN;
  return (in >> PIN_LEFT & 1 ? KEY_LEFT : 0) | (in >> PIN_RIGHT & 1 ? KEY_RIGHT : 0);
}

void timer_interrupt(void) {
  TIMER_INTR = 1;
  TIMER_ALARM0 = TIMER_TIMERAWL + KEYS_SAMPLED_EVERY_MICROSECONDS;
  connection_pass_millisecond();
  buttons_sample(keys_down());
}

void keys_start(void) {
  TIMER_INTE = 1;
  TIMER_ALARM0 = TIMER_TIMERAWL + KEYS_SAMPLED_EVERY_MICROSECONDS;
  NVIC_ISER = 1 << TIMER_IRQ_0;
}
