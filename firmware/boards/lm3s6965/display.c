// The board's display, an SSD0323 on SSI0: 128 x 64 pixels with 16 grey levels. It cannot be read. Every
// frame initializes the display again, so that it recovers from a short loss of power.
#include "board.h"
#include "registers.h"

enum { PINS_SSI = 1 << 2 | 1 << 3 | 1 << 5 };               // port A: clock, select, data
enum { PIN_SUPPLY = 1 << 6, PIN_DATA_NOT_COMMAND = 1 << 7 };  // port C
enum { SSI_DIVISOR = 14 };                                  // 3.6 MHz

static const uint8_t setup[] = {
    0xA8, 63,                    // rows
    0xA1, 0, 0xA2, 0x40,         // first row, offset of the panel
    0xA4,                        // not inverted
    0xA0, 0x52,                  // left pixel in the upper nibble; bytes along the row
    0x81, 0x3F, 0x86,            // contrast, full current
    0xB1, 0x22, 0xB2, 70, 0xB3, 0xF1, 0xBF, 0x0D, 0xBE, 0x02, 0xBC, 0x10,  // phases, clock, voltages
    0xB8, 0x01, 0x11, 0x22, 0x32, 0x43, 0x54, 0x65, 0x76,                  // greys
    0xAD, 0x03,                  // converter on
    0x15, 0, 63, 0x75, 0, 63,    // the whole window
};
static const uint8_t display_on[] = {0xAF};

void oled_start(void) {
  GPIOAFSEL(GPIOA) |= PINS_SSI;
  GPIODEN(GPIOA) |= PINS_SSI;
  GPIODIR(GPIOC) |= PIN_SUPPLY | PIN_DATA_NOT_COMMAND;
  GPIODEN(GPIOC) |= PIN_SUPPLY | PIN_DATA_NOT_COMMAND;
  GPIODATA(GPIOC, PIN_SUPPLY) = PIN_SUPPLY;
  SSICR1 = 0;
  SSICPSR = SSI_DIVISOR;
  SSICR0 = SSICR0_DSS_8 | SSICR0_SPO;
  SSICR1 = SSICR1_SSE;
}

// Sends a byte. The byte that is received at the same time shows that it was sent.
static void put(uint8_t byte) {
  SSIDR = byte;
  while (!(SSISR & SSISR_RNE)) continue;
  (void)SSIDR;
}

static void send_commands(const uint8_t *bytes, uint32_t length) {
  GPIODATA(GPIOC, PIN_DATA_NOT_COMMAND) = 0;
  for (uint32_t i = 0; i < length; i++) put(bytes[i]);
}

static uint8_t two_pixels(uint32_t bits) { return (uint8_t)((bits & 2 ? 0xF0 : 0) | (bits & 1 ? 0x0F : 0)); }

bool display_show(const uint8_t frame[FRAME_BYTES]) {
  send_commands(setup, sizeof setup);
  GPIODATA(GPIOC, PIN_DATA_NOT_COMMAND) = PIN_DATA_NOT_COMMAND;
  for (uint32_t i = 0; i < FRAME_BYTES; i++)
    for (int shift = 6; shift >= 0; shift -= 2) put(two_pixels(frame[i] >> shift & 3u));
  send_commands(display_on, sizeof display_on);
  return true;
}
