// Starts the controller, and handles its events in the order in which they occurred.
#include "board.h"
#include "connection.h"
#include "registers.h"
#include "usb-control.h"
#include "usb.h"

// On a Pico, VBUS is not connected to the controller. An override makes the controller behave as if it
// detected VBUS.
void links_start(void) {
  for (uint32_t at = 0; at < USB_DPRAM_BYTES; at += 4) REGISTER(USB_DPRAM + at) = 0;
  USB_USB_MUXING = MUXING_TO_PHY | MUXING_SOFTCON;
  USB_USB_PWR = PWR_VBUS_DETECT | PWR_VBUS_DETECT_OVERRIDE_EN;
  USB_MAIN_CTRL = MAIN_CTRL_CONTROLLER_EN;
  USB_SIE_CTRL = SIE_CTRL_EP0_INT_1BUF;
  USB_INTE = INT_BUFF_STATUS | INT_BUS_RESET | INT_SETUP_REQ | INT_DEV_SUSPEND;
  control_start();
  NVIC_ISER = 1 << USBCTRL_IRQ;
  SET_BITS(USB_SIE_CTRL) = SIE_CTRL_PULLUP_EN;
}

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
