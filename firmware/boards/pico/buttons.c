#include "board.h"
#include "debounce.h"
#include "pins.h"
#include "registers.h"

enum { SAMPLE_MICROSECONDS = 1000, QUEUE = 8, LEFT = 1, RIGHT = 2 };

static debounce_t keys;
static volatile uint8_t queue[QUEUE];
static volatile uint32_t queued, taken;

// A key connects its pin to ground.
static uint8_t keys_down(void) {
  const uint32_t in = ~SIO_GPIO_IN;
  return (in >> PIN_LEFT & 1 ? LEFT : 0) | (in >> PIN_RIGHT & 1 ? RIGHT : 0);
}

void timer_interrupt(void) {
  TIMER_INTR = 1;
  TIMER_ALARM0 = TIMER_TIMERAWL + SAMPLE_MICROSECONDS;
  const uint8_t press = debounce_sample(&keys, keys_down());
  if (press && queued - taken < QUEUE) {
    queue[queued % QUEUE] = press;
    queued++;
  }
}

void buttons_start(void) {
  TIMER_INTE = 1;
  TIMER_ALARM0 = TIMER_TIMERAWL + SAMPLE_MICROSECONDS;
  NVIC_ISER = 1 << TIMER_IRQ_0;
}

uint8_t buttons_take(void) {
  if (queued == taken) return 0;
  const uint8_t press = queue[taken % QUEUE];
  taken++;
  return press;
}

void buttons_forget(void) {
  NVIC_ICER = 1 << TIMER_IRQ_0;
  __asm__ volatile("dsb\nisb" ::: "memory");
  debounce_forget(&keys);
  taken = queued;
  NVIC_ISER = 1 << TIMER_IRQ_0;
}
