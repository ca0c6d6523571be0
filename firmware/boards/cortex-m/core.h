// Registers of a Cortex-M, with the names of the architecture. On a core with TrustZone, they belong to the
// current world, secure or non-secure. The registers.h of a board includes this file, and defines CLOCK_MHZ,
// INTERRUPTS and UART_IRQ.
#pragma once
#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))

#define SYST_CSR REGISTER(0xE000E010)
#define SYST_RVR REGISTER(0xE000E014)
#define SYST_CVR REGISTER(0xE000E018)
#define NVIC_ISER(interrupt) REGISTER(0xE000E100 + 4 * ((interrupt) / 32))
#define NVIC_ISPR(interrupt) REGISTER(0xE000E200 + 4 * ((interrupt) / 32))
#define AIRCR REGISTER(0xE000ED0C)
enum { SYST_CSR_ENABLE = 1 << 0, SYST_CSR_TICKINT = 1 << 1, SYST_CSR_CLKSOURCE = 1 << 2, SYST_CSR_COUNTFLAG = 1 << 16 };
static const uint32_t AIRCR_VECTKEY = 0x05FA0000, AIRCR_SYSRESETREQ = 1 << 2;
enum { FIRST_INTERRUPT = 16, SYSTICK_EXCEPTION = 15 };

// Starts the timer whose interrupt samples the keys every millisecond.
void tick_start(void);
// Called in an interrupt of the board, which ends board_sleep().
void board_note_interrupt(void);
