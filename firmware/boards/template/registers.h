// Registers and bits by the names of the datasheet. PORT: those of your chip.
#pragma once
#include "core.h"

// PORT: the frequency of the core, the number of its interrupts, and that of the UART.
enum { CLOCK_MHZ = 1, INTERRUPTS = 32, UART_IRQ = 0 };
