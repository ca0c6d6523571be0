// PORT: implement these functions, which drive the UART. serial/ frames the reports. packets.h declares the
// functions that serial/ calls.
#include "board.h"
#include "packets.h"
#include "registers.h"

void uart_start(void) { NVIC_ISER(UART_IRQ) = 1u << UART_IRQ % 32; }

void uart_put(uint8_t byte) { (void)byte; }

void uart_poll(void) {}

void uart_interrupt(void) {
  uart_poll();
  board_note_interrupt();
}
