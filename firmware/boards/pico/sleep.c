// Sleep and USB suspend. While the bus is suspended, a device may draw only 2.5 mA (USB 2.0, 7.2.3). The PLLs
// are then off, and everything runs on the crystal. The timer continues, because it always runs on the
// crystal.
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

// Turns the PLLs on again. This takes less than the 20 ms for which a host signals a resume.
static void speed_up(void) {
  CLK_USB_CTRL = 0;
  run_from_plls();
  usb_note_suspended(false);
  slow = false;
}

bool board_is_asleep(void) { return usb_is_suspended(); }

// WFE returns immediately if an interrupt occurred since the last WFE, so no interrupt is missed. While the
// bus is suspended, the timer interrupt checks the line every millisecond, because the controller does not
// notice that a host resumes the bus without its clock of 48 MHz.
void board_sleep(void) {
  if (usb_is_suspended() && !slow) slow_down();
  __asm__ volatile("wfe" ::: "memory");
  if (slow && (!usb_is_suspended() || !is_line_idle())) speed_up();
}
