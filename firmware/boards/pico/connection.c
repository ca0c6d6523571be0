#include "connection.h"

#include <stdbool.h>

#include "pins.h"
#include "registers.h"

static bool waits;   // the end of the bus reset has not been seen yet
static bool forced;  // GP15 makes the line appear idle

// The pull-up stays on, because the host detects the device by it.
static void force_idle(void) {
  SET_BITS(GPIO_PAD(PIN_USB_DP)) = PAD_PUE | PAD_PDE;
  GPIO_CTRL(PIN_USB_DP) = FUNCSEL_USB_DP | GPIO_OEOVER_DISABLE | GPIO_INOVER_HIGH;
  SET_BITS(USB_USBPHY_DIRECT) = DIRECT_DP_PULLUP_EN;
  SET_BITS(USB_USBPHY_DIRECT_OVERRIDE) = DIRECT_DP_PULLUP_EN_OVERRIDE_EN;
  USB_USB_MUXING = MUXING_TO_DIGITAL_PAD | MUXING_SOFTCON;
}

static void listen_again(void) {
  USB_USB_MUXING = MUXING_TO_PHY | MUXING_SOFTCON;
  CLEAR_BITS(USB_USBPHY_DIRECT_OVERRIDE) = DIRECT_DP_PULLUP_EN_OVERRIDE_EN;
  GPIO_CTRL(PIN_USB_DP) = FUNCSEL_NONE;
  CLEAR_BITS(GPIO_PAD(PIN_USB_DP)) = PAD_PUE;
}

void connection_reset(void) {
  if (!forced) waits = true;
}

void connection_pass_millisecond(void) {
  if (forced) {
    listen_again();
    forced = false;
  } else if (waits && (USB_SIE_STATUS & SIE_STATUS_LINE_STATE) != LINE_STATE_SE0) {
    force_idle();
    forced = true;
    waits = false;
  }
}
