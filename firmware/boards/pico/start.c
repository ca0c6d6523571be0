// Runs from flash: clocks first, because copying the code at the speed of the ring oscillator would take most
// of a second.
#include "registers.h"
#include "trap.h"

extern uint32_t stack_top, text_start, text_end, text_in_flash, bss_start, bss_end;
int main(void);
void timer_interrupt(void), usb_interrupt(void);

#define IN_FLASH __attribute__((section(".start"), noinline))

enum {
  XOSC_STARTUP_1_MS = 47,
  TICK_MHZ = 12,
  // 12 MHz * 125 / 6 / 2 = 125 MHz
  SYS_FBDIV = 125,
  SYS_POSTDIV1 = 6,
  SYS_POSTDIV2 = 2,
  // 12 MHz * 100 / 5 / 5 = 48 MHz
  USB_FBDIV = 100,
  USB_POSTDIV1 = 5,
  USB_POSTDIV2 = 5,
};

IN_FLASH static void start_pll(uint32_t pll, uint32_t fbdiv, uint32_t postdiv1, uint32_t postdiv2) {
  PLL_CS(pll) = 1;  // REFDIV
  PLL_FBDIV_INT(pll) = fbdiv;
  CLEAR_BITS(PLL_PWR(pll)) = PWR_PD | PWR_VCOPD;
  while (!(PLL_CS(pll) & PLL_CS_LOCK)) continue;
  PLL_PRIM(pll) = postdiv1 << PRIM_POSTDIV1_SHIFT | postdiv2 << PRIM_POSTDIV2_SHIFT;
  CLEAR_BITS(PLL_PWR(pll)) = PWR_POSTDIVPD;
}

// After a warm reset the chip may run on the PLLs, so it leaves them before they are reset.
IN_FLASH static void start_clocks(void) {
  XOSC_STARTUP = XOSC_STARTUP_1_MS;
  XOSC_CTRL = XOSC_ENABLE | XOSC_FREQ_RANGE_1_15MHZ;
  while (!(XOSC_STATUS & XOSC_STABLE)) continue;
  CLEAR_BITS(CLK_SYS_CTRL) = CLK_SYS_SRC_AUX;
  while (CLK_SYS_SELECTED != CLK_SYS_SELECTED_REF) continue;
  CLK_REF_CTRL = CLK_REF_SRC_XOSC;
  while (CLK_REF_SELECTED != CLK_REF_SELECTED_XOSC) continue;
  SET_BITS(RESETS_RESET) = RESET_PLL_SYS | RESET_PLL_USB;
  CLEAR_BITS(RESETS_RESET) = RESET_PLL_SYS | RESET_PLL_USB;
  while (~RESETS_RESET_DONE & (RESET_PLL_SYS | RESET_PLL_USB)) continue;
  start_pll(PLL_SYS, SYS_FBDIV, SYS_POSTDIV1, SYS_POSTDIV2);
  start_pll(PLL_USB, USB_FBDIV, USB_POSTDIV1, USB_POSTDIV2);
  CLK_SYS_CTRL = CLK_SYS_AUXSRC_PLL_SYS | CLK_SYS_SRC_REF;
  SET_BITS(CLK_SYS_CTRL) = CLK_SYS_SRC_AUX;
  while (CLK_SYS_SELECTED != CLK_SYS_SELECTED_AUX) continue;
  CLK_USB_CTRL = CLK_ENABLE | CLK_USB_AUXSRC_PLL_USB;
  CLK_PERI_CTRL = CLK_ENABLE | CLK_PERI_AUXSRC_CLK_SYS;
  WATCHDOG_TICK = TICK_MHZ | WATCHDOG_TICK_ENABLE;
}

// Volatile, or the compiler calls memcpy and memset, which are not in SRAM yet.
__attribute__((noreturn, section(".start"))) void reset(void) {
  start_clocks();
  const volatile uint32_t *from = &text_in_flash;
  for (volatile uint32_t *to = &text_start; to < &text_end;) *to++ = *from++;
  for (volatile uint32_t *word = &bss_start; word < &bss_end;) *word++ = 0;
  int (*const volatile start)(void) = main;  // too far for a direct branch
  start();
  for (;;) continue;
}

typedef void (*vector_t)(void);
enum { FIRST_INTERRUPT = 16 };
__attribute__((section(".vectors"), used)) static const vector_t vectors[FIRST_INTERRUPT + INTERRUPTS] = {
    [0] = (vector_t)&stack_top,
    [1] = reset,
    [2 ... FIRST_INTERRUPT - 1] = trap,
    [FIRST_INTERRUPT + TIMER_IRQ_0] = timer_interrupt,
    [FIRST_INTERRUPT + TIMER_IRQ_0 + 1 ... FIRST_INTERRUPT + USBCTRL_IRQ - 1] = trap,
    [FIRST_INTERRUPT + USBCTRL_IRQ] = usb_interrupt,
    [FIRST_INTERRUPT + USBCTRL_IRQ + 1 ... FIRST_INTERRUPT + INTERRUPTS - 1] = trap,
};
