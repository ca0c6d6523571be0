// The start code, which runs from flash. It starts the clocks first. At the speed of the ring oscillator, the
// copy of the code to SRAM would take most of a second.
#include "clocks.h"
#include "registers.h"
#include "trap.h"

extern uint32_t stack_top, text_start, text_end, text_in_flash, data_start, data_end, data_in_flash, bss_start;
int main(void);
void timer_interrupt(void), usb_interrupt(void);

#define IN_FLASH __attribute__((section(".start"), noinline))

enum {
  XOSC_STARTUP_1_MS = 47,
  TICK_MHZ = 12,
};

// After a warm reset, the watchdog may run, and the chip may run on the PLLs. The clocks are switched away
// from the PLLs before the PLLs are reset.
IN_FLASH static void start_clocks(void) {
  CLEAR_BITS(WATCHDOG_CTRL) = WATCHDOG_CTRL_ENABLE;
  XOSC_STARTUP = XOSC_STARTUP_1_MS;
  XOSC_CTRL = XOSC_ENABLE | XOSC_FREQ_RANGE_1_15MHZ;
  while (!(XOSC_STATUS & XOSC_STABLE)) continue;
  leave_plls();
  CLK_REF_CTRL = CLK_REF_SRC_XOSC;
  while (CLK_REF_SELECTED != CLK_REF_SELECTED_XOSC) continue;
  SET_BITS(RESETS_RESET) = RESET_PLL_SYS | RESET_PLL_USB;
  CLEAR_BITS(RESETS_RESET) = RESET_PLL_SYS | RESET_PLL_USB;
  while (~RESETS_RESET_DONE & (RESET_PLL_SYS | RESET_PLL_USB)) continue;
  run_from_plls();
  WATCHDOG_TICK = TICK_MHZ | WATCHDOG_TICK_ENABLE;
}

// The pointers are volatile. Otherwise the compiler would call memcpy, which is not in SRAM yet.
IN_FLASH static void copy(volatile uint32_t *to, const uint32_t *end, const volatile uint32_t *from) {
  while (to < end) *to++ = *from++;
}

// A reset by the watchdog preserves SRAM. All of SRAM is therefore cleared, except for the part of the stack
// in use.
__attribute__((noreturn, section(".start"))) void reset(void) {
  start_clocks();
  copy(&text_start, &text_end, &text_in_flash);
  copy(&data_start, &data_end, &data_in_flash);
  const volatile uint32_t *stack;
  __asm__ volatile("mov %0, sp" : "=r"(stack));
  for (volatile uint32_t *word = &bss_start; word < stack;) *word++ = 0;
  SCB_VTOR = (uint32_t)(uintptr_t)&text_start;
  int (*const volatile start)(void) = main;  // too far for a direct branch
  start();
  for (;;) continue;
}

typedef void (*vector_t)(void);
enum { FIRST_INTERRUPT = 16 };
// boot2 and the loader read the stack pointer and the entry point from here.
__attribute__((section(".entry"), used)) static const vector_t entry[2] = {(vector_t)&stack_top, reset};
// The vectors are in SRAM, because a fault can also occur while flash is erased and cannot be read.
__attribute__((section(".vectors"), used, aligned(256))) static const vector_t vectors[FIRST_INTERRUPT + INTERRUPTS] = {
    [0 ... FIRST_INTERRUPT - 1] = trap,
    [FIRST_INTERRUPT + TIMER_IRQ_0] = timer_interrupt,
    [FIRST_INTERRUPT + TIMER_IRQ_0 + 1 ... FIRST_INTERRUPT + USBCTRL_IRQ - 1] = trap,
    [FIRST_INTERRUPT + USBCTRL_IRQ] = usb_interrupt,
    [FIRST_INTERRUPT + USBCTRL_IRQ + 1 ... FIRST_INTERRUPT + INTERRUPTS - 1] = trap,
};
