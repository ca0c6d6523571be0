// The PLLs. The functions are inlined, because the start code runs from flash, and later code from SRAM.
#pragma once
#include "registers.h"

#define INLINE static inline __attribute__((always_inline))

enum {
  // 12 MHz * 125 / 6 / 2 = 125 MHz
  SYS_FBDIV = 125,
  SYS_POSTDIV1 = 6,
  SYS_POSTDIV2 = 2,
  // 12 MHz * 100 / 5 / 5 = 48 MHz
  USB_FBDIV = 100,
  USB_POSTDIV1 = 5,
  USB_POSTDIV2 = 5,
};

INLINE void start_pll(uint32_t pll, uint32_t fbdiv, uint32_t postdiv1, uint32_t postdiv2) {
  PLL_CS(pll) = 1;  // REFDIV
  PLL_FBDIV_INT(pll) = fbdiv;
  CLEAR_BITS(PLL_PWR(pll)) = PWR_PD | PWR_VCOPD;
  while (!(PLL_CS(pll) & PLL_CS_LOCK)) continue;
  PLL_PRIM(pll) = postdiv1 << PRIM_POSTDIV1_SHIFT | postdiv2 << PRIM_POSTDIV2_SHIFT;
  CLEAR_BITS(PLL_PWR(pll)) = PWR_POSTDIVPD;
}

INLINE void run_from_plls(void) {
  start_pll(PLL_SYS, SYS_FBDIV, SYS_POSTDIV1, SYS_POSTDIV2);
  start_pll(PLL_USB, USB_FBDIV, USB_POSTDIV1, USB_POSTDIV2);
  CLK_SYS_CTRL = CLK_SYS_AUXSRC_PLL_SYS | CLK_SYS_SRC_REF;
  SET_BITS(CLK_SYS_CTRL) = CLK_SYS_SRC_AUX;
  while (CLK_SYS_SELECTED != CLK_SYS_SELECTED_AUX) continue;
  CLK_USB_CTRL = CLK_ENABLE | CLK_USB_AUXSRC_PLL_USB;
  CLK_PERI_CTRL = CLK_ENABLE | CLK_PERI_AUXSRC_CLK_SYS;
}

// Switches CLK_SYS to the crystal.
INLINE void leave_plls(void) {
  CLEAR_BITS(CLK_SYS_CTRL) = CLK_SYS_SRC_AUX;
  while (CLK_SYS_SELECTED != CLK_SYS_SELECTED_REF) continue;
}
