// The link to the host. Its driver runs in the non-secure world, and exchanges reports of 64 bytes by calling
// the functions below. The secure world never calls the driver. It triggers an interrupt when the driver has
// work.
#include "gateway.h"

#include <arm_cmse.h>
#include <string.h>

#include "board.h"
#include "registers.h"

#define CALLED_FROM_OUTSIDE __attribute__((cmse_nonsecure_entry))

static uint8_t received[REPORT_BYTES];
static volatile bool has_received, is_read, is_sending, was_lost;

// cmse_check_address_range() returns null if the caller may not access the memory.
CALLED_FROM_OUTSIDE bool gateway_give(const uint8_t *report) {
  const void *from = cmse_check_address_range((void *)report, REPORT_BYTES, CMSE_NONSECURE | CMSE_MPU_READ);
  if (!from || has_received) return false;
  memcpy(received, from, REPORT_BYTES);
  has_received = true;
  board_note_interrupt();
  return true;
}

CALLED_FROM_OUTSIDE bool gateway_take(uint8_t *report) {
  void *to = cmse_check_address_range(report, REPORT_BYTES, CMSE_NONSECURE | CMSE_MPU_READWRITE);
  if (!to || !is_sending) return false;
  memcpy(to, outgoing_report, REPORT_BYTES);
  is_sending = false;
  board_note_interrupt();
  return true;
}

CALLED_FROM_OUTSIDE void gateway_lost(void) {
  // A report that the signer is reading stays until it is released. Otherwise the report of a new host could
  // overwrite it, or be released before it is read.
  if (!is_read) has_received = false;
  is_sending = false;
  was_lost = true;
  board_note_interrupt();
}

// Entry points of the secure world. The linker also generates such veneers, but without symbols that this
// image could use.
#define VENEER(name) __asm__(".section .gateway, \"ax\"\n.thumb_func\n" #name "_veneer: sg\nb.w __acle_se_" #name "\n.text")
VENEER(gateway_give);
VENEER(gateway_take);
VENEER(gateway_lost);
extern bool gateway_give_veneer(const uint8_t *report), gateway_take_veneer(uint8_t *report);
extern void gateway_lost_veneer(void);
const gateway_t gateway = {gateway_give_veneer, gateway_take_veneer, gateway_lost_veneer};

static void ring(void) { NVIC_ISPR(DOORBELL_IRQ) = 1u << DOORBELL_IRQ % 32; }

void links_start(void) { ring(); }

// The non-secure world does not run while interrupts are held, so the host gets no reply to a trap. If the
// trap waited for the driver, RAM would not be cleared until the watchdog resets the chip.
void links_poll(void) { is_sending = false; }

bool links_lost(void) {
  if (!was_lost) return false;
  was_lost = false;
  return true;
}

// The report of a new host is held back until links_lost() has been called, so that the signer first drops
// the work of the previous host.
const uint8_t *link_received(int link) {
  (void)link;
  is_read = true;
  is_read = has_received && !was_lost;
  return is_read ? received : 0;
}

void link_done(int link) {
  (void)link;
  has_received = false;
  is_read = false;
  ring();
}

bool link_can_send(int link) {
  (void)link;
  return !is_sending;
}

void link_send(int link) {
  (void)link;
  is_sending = true;
  ring();
}
