#include "registers.h"

void start_clock(void);

// The PLL of the 8 MHz crystal gives 200 MHz, of which a quarter is 50 MHz.
void start_clock(void) {
  RCC = (RCC | RCC_BYPASS) & ~RCC_USESYSDIV;
  RCC = (RCC & ~(RCC_XTAL | RCC_OSCSRC | RCC_PWRDN | RCC_MOSCDIS)) | RCC_XTAL_8_MHZ;
  RCC = (RCC & ~RCC_SYSDIV) | RCC_SYSDIV_4 | RCC_USESYSDIV;
  while (!(RIS & RIS_PLLLRIS)) continue;
  RCC &= ~RCC_BYPASS;
}
