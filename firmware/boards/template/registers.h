// Registers and bits by the names of the datasheet. PORT: those of your chip.
#pragma once
#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))

// Cortex-M: SysTick, NVIC, system control.
#define SYST_CSR REGISTER(0xE000E010)
#define SYST_RVR REGISTER(0xE000E014)
#define SYST_CVR REGISTER(0xE000E018)
#define NVIC_ISER(interrupt) REGISTER(0xE000E100 + 4 * ((interrupt) / 32))
#define AIRCR REGISTER(0xE000ED0C)
enum {
  SYST_CSR_ENABLE = 1 << 0,
  SYST_CSR_TICKINT = 1 << 1,
  SYST_CSR_CLKSOURCE = 1 << 2,
  SYST_CSR_COUNTFLAG = 1 << 16,
};
static const uint32_t AIRCR_SYSRESETREQ = 0x05FA0004;

// PORT: the frequency of the core, the number of its interrupts, and that of the UART.
enum { CLOCK_MHZ = 1, INTERRUPTS = 32, UART_IRQ = 0, SYSTICK_EXCEPTION = 15 };
