// Handles the events of the controller in the order in which they occurred.
#include "board.h"
#include "connection.h"
#include "registers.h"
#include "usb-control.h"
#include "usb.h"

// Completed buffers are handled before a reset or a SETUP packet. If both a reset and a SETUP are pending,
// because interrupts were held for long, the SETUP arrived after the reset.
void usb_interrupt(void) {
  const uint32_t reasons = USB_INTS;
  if (reasons & INT_BUFF_STATUS && usb_serve_buffers()) control_sent();
  if (reasons & INT_DEV_SOF) usb_start_frame();
  if (reasons & INT_DEV_SUSPEND) {
    USB_SIE_STATUS = SIE_STATUS_SUSPENDED;
    usb_note_suspended(true);
  }
  if (reasons & INT_BUS_RESET) {
    USB_SIE_STATUS = SIE_STATUS_BUS_RESET;
    usb_note_suspended(false);
    control_reset();
    connection_reset();
  }
  if (reasons & INT_SETUP_REQ) {
    USB_SIE_STATUS = SIE_STATUS_SETUP_REC;
    control_setup(USB_SETUP_LOW, USB_SETUP_HIGH);
  }
}

void links_poll(void) {
  if (USB_INTS) usb_interrupt();
}
