#include "registers.h"

void start_clock(void);

// The PLL makes 200 MHz from the crystal of 8 MHz. The core gets a quarter of that, 50 MHz.
void start_clock(void) {
  RCC = (RCC | RCC_BYPASS) & ~RCC_USESYSDIV;
  RCC = (RCC & ~(RCC_XTAL | RCC_OSCSRC | RCC_PWRDN | RCC_MOSCDIS)) | RCC_XTAL_8_MHZ;
  RCC = (RCC & ~RCC_SYSDIV) | RCC_SYSDIV_4 | RCC_USESYSDIV;
  while (!(RIS & RIS_PLLLRIS)) continue;
  RCC &= ~RCC_BYPASS;
}
