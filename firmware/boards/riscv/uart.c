#include "packets.h"
#include "registers.h"

void uart_start(void) {
  UART_LCR = LCR_8_BITS;
  UART_FCR = FCR_ENABLE;
  UART_IER = IER_RECEIVED;
}

void uart_put(uint8_t byte) {
  while (!(UART_LSR & LSR_THR_EMPTY)) continue;
  UART_DATA = byte;
}

void uart_poll(void) {
  while (UART_LSR & LSR_DATA_READY) packets_take(UART_DATA);
}
