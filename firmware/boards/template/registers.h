// Registers and bits, named as in the datasheet. PORT: add those of your chip.
#pragma once
#include "core.h"

// PORT: set the frequency of the core, the number of its interrupts, and the interrupt number of the UART.
enum { CLOCK_MHZ = 1, INTERRUPTS = 32, UART_IRQ = 0 };
