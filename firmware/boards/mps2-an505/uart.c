// A UART of the CMSDK at 115,200 baud. This file is compiled for both worlds; each of them has its own UART.
#include "board.h"
#include "packets.h"
#include "registers.h"

enum { STATE_TX_FULL = 1 << 0, STATE_RX_FULL = 1 << 1 };
enum { CTRL_TX_ENABLE = 1 << 0, CTRL_RX_ENABLE = 1 << 1, CTRL_RX_INTERRUPT = 1 << 3, INT_RX = 1 << 1 };
enum { BAUD = 115200 };

void uart_start(void) {
  UART_BAUDDIV = CLOCK_MHZ * 1000000 / BAUD;
  UART_CTRL = CTRL_TX_ENABLE | CTRL_RX_ENABLE | CTRL_RX_INTERRUPT;
  NVIC_ISER(UART_IRQ) = 1u << UART_IRQ % 32;
}

void uart_put(uint8_t byte) {
  while (UART_STATE & STATE_TX_FULL) continue;
  UART_DATA = byte;
}

void uart_poll(void) {
  while (UART_STATE & STATE_RX_FULL) packets_take((uint8_t)UART_DATA);
}

void uart_interrupt(void) {
  UART_INTCLEAR = INT_RX;
  uart_poll();
  board_note_interrupt();
}
