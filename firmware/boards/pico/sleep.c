// Sleep, and the suspend of the bus, in which a device may draw 2.5 mA (USB 2.0, 7.2.3): the PLLs are off and
// everything runs on the crystal, from which the timer continues.
#include "board.h"
#include "clocks.h"
#include "registers.h"
#include "usb.h"

static bool slow;

static bool is_line_idle(void) { return (USB_SIE_STATUS & SIE_STATUS_LINE_STATE) == LINE_STATE_J; }

static void slow_down(void) {
  CLK_PERI_CTRL = 0;
  CLK_USB_CTRL = CLK_USB_AUXSRC_XOSC;
  CLK_USB_CTRL = CLK_USB_AUXSRC_XOSC | CLK_ENABLE;
  leave_plls();
  SET_BITS(PLL_PWR(PLL_SYS)) = PWR_PD | PWR_VCOPD | PWR_POSTDIVPD;
  SET_BITS(PLL_PWR(PLL_USB)) = PWR_PD | PWR_VCOPD | PWR_POSTDIVPD;
  slow = true;
}

// This takes less than the 20 ms in which a host resumes or resets.
static void speed_up(void) {
  CLK_USB_CTRL = 0;
  run_from_plls();
  usb_note_suspended(false);
  slow = false;
}

bool board_is_asleep(void) { return usb_is_suspended(); }

// An interrupt since the last WFE makes the next one return at once, so none is missed. The timer's interrupt
// checks the line every millisecond, because the controller does not notice a resuming host without its 48
// MHz.
void board_sleep(void) {
  if (usb_is_suspended() && !slow) slow_down();
  __asm__ volatile("wfe" ::: "memory");
  if (slow && (!usb_is_suspended() || !is_line_idle())) speed_up();
}
