#include "registers.h"
#include "trap.h"

extern uint32_t stack_top, data_start, data_end, data_in_flash, bss_start, bss_end;
int main(void);
void tick_interrupt(void), uart_interrupt(void);

// A board overrides this if the core's frequency after a reset differs from CLOCK_MHZ.
__attribute__((weak)) void start_clock(void) {}

__attribute__((noreturn)) void reset(void) {
  start_clock();
  const volatile uint32_t *from = &data_in_flash;
  for (volatile uint32_t *to = &data_start; to < &data_end;) *to++ = *from++;
  for (volatile uint32_t *word = &bss_start; word < &bss_end;) *word++ = 0;
  main();
  for (;;) continue;
}

typedef void (*vector_t)(void);
enum { UART_VECTOR = FIRST_INTERRUPT + UART_IRQ, VECTORS = FIRST_INTERRUPT + INTERRUPTS };
// An unexpected interrupt calls trap(). The more specific rows are last, because they override the general
// ones.
#pragma GCC diagnostic ignored "-Woverride-init"
__attribute__((section(".vectors"), used)) static const vector_t vectors[VECTORS] = {
    [2 ... VECTORS - 1] = trap,
    [0] = (vector_t)&stack_top,
    [1] = reset,
    [SYSTICK_EXCEPTION] = tick_interrupt,
    [UART_VECTOR] = uart_interrupt,
};
