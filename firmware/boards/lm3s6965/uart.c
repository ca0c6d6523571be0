// UART0 at 115,200 baud, on PA0 and PA1.
#include "board.h"
#include "packets.h"
#include "registers.h"

enum { PINS_UART = 1 << 0 | 1 << 1 };
// 50 MHz / 16 / 115,200 = 27 + 8/64
enum { BAUD_INTEGER = 27, BAUD_FRACTION = 8 };

void uart_start(void) {
  GPIOAFSEL(GPIOA) |= PINS_UART;
  GPIODEN(GPIOA) |= PINS_UART;
  UARTCTL = 0;
  UARTIBRD = BAUD_INTEGER;
  UARTFBRD = BAUD_FRACTION;
  UARTLCRH = UARTLCRH_WLEN_8 | UARTLCRH_FEN;
  UARTIM = UARTIM_RXIM | UARTIM_RTIM;
  UARTCTL = UARTCTL_UARTEN | UARTCTL_TXE | UARTCTL_RXE;
  NVIC_ISER(UART_IRQ) = 1 << UART_IRQ;
}

void uart_put(uint8_t byte) {
  while (UARTFR & UARTFR_TXFF) continue;
  UARTDR = byte;
}

void uart_poll(void) {
  while (!(UARTFR & UARTFR_RXFE)) packets_take((uint8_t)UARTDR);
}

void uart_interrupt(void) {
  UARTICR = UARTIM_RXIM | UARTIM_RTIM;
  uart_poll();
  board_note_interrupt();
}

// This board has its own display and keys.
void panel_take(uint8_t type, uint8_t value) { (void)type, (void)value; }
