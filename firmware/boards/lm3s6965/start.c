#include "registers.h"
#include "trap.h"

extern uint32_t stack_top, data_start, data_end, data_in_flash, bss_start, bss_end;
int main(void);
void tick_interrupt(void), uart_interrupt(void);

// The 8 MHz crystal, and from the PLL's 200 MHz a quarter: 50 MHz.
static void start_clock(void) {
  RCC = (RCC | RCC_BYPASS) & ~RCC_USESYSDIV;
  RCC = (RCC & ~(RCC_XTAL | RCC_OSCSRC | RCC_PWRDN | RCC_MOSCDIS)) | RCC_XTAL_8_MHZ;
  RCC = (RCC & ~RCC_SYSDIV) | RCC_SYSDIV_4 | RCC_USESYSDIV;
  while (!(RIS & RIS_PLLLRIS)) continue;
  RCC &= ~RCC_BYPASS;
}

__attribute__((noreturn)) void reset(void) {
  start_clock();
  const volatile uint32_t *from = &data_in_flash;
  for (volatile uint32_t *to = &data_start; to < &data_end;) *to++ = *from++;
  for (volatile uint32_t *word = &bss_start; word < &bss_end;) *word++ = 0;
  main();
  for (;;) continue;
}

typedef void (*vector_t)(void);
enum { FIRST_INTERRUPT = 16 };
__attribute__((section(".vectors"), used)) static const vector_t vectors[FIRST_INTERRUPT + INTERRUPTS] = {
    [0] = (vector_t)&stack_top,
    [1] = reset,
    [2 ... SYSTICK_EXCEPTION - 1] = trap,
    [SYSTICK_EXCEPTION] = tick_interrupt,
    [FIRST_INTERRUPT ... FIRST_INTERRUPT + UART0_IRQ - 1] = trap,
    [FIRST_INTERRUPT + UART0_IRQ] = uart_interrupt,
    [FIRST_INTERRUPT + UART0_IRQ + 1 ... FIRST_INTERRUPT + INTERRUPTS - 1] = trap,
};
