// The non-secure world, which drives the host's UART and has only two interrupts. It can access the signer
// only through the gateway.
#include "gateway.h"

#include "board.h"
#include "packets.h"
#include "registers.h"

extern uint32_t stack_top;
void uart_interrupt(void);

uint8_t outgoing_report[REPORT_BYTES];
static bool is_started;

// Runs in the interrupts: after bytes from the host, and when the secure world triggers the doorbell.
void board_note_interrupt(void) {
  if (links_lost()) GATEWAY->lost();
  const uint8_t *report = link_received(0);
  if (report && GATEWAY->give(report)) link_done(0);
  if (GATEWAY->take(outgoing_report)) link_send(0);
}

void doorbell_interrupt(void) {
  if (!is_started) links_start();
  is_started = true;
  board_note_interrupt();
}

// The panel is connected to another UART.
void panel_take(uint8_t type, uint8_t value) { (void)type, (void)value; }

// The table has only the expected interrupts. The secure world handles faults.
typedef void (*vector_t)(void);
__attribute__((section(".vectors"), used)) static const vector_t vectors[FIRST_INTERRUPT + INTERRUPTS] = {
    [0] = (vector_t)&stack_top,
    [FIRST_INTERRUPT + HOST_UART_IRQ] = uart_interrupt,
    [FIRST_INTERRUPT + DOORBELL_IRQ] = doorbell_interrupt,
};
