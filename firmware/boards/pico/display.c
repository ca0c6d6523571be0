// An SSD1306 display of 128 x 64 pixels on I2C. Every frame initializes the display again, so that it
// recovers from a short loss of power.
#include "board.h"
#include "pins.h"
#include "registers.h"

enum { SSD1306_ADDRESS = 0x3C, COMMANDS = 0x00, DATA = 0x40 };
enum { WIDTH = 128, PAGES = 8, PAGE_ROWS = 8, ROW_BYTES = 16 };
enum { FRAME_MICROSECONDS = 60000 };
enum { CLOCKS_OF_A_BYTE = 9, HALF_CLOCK_MICROSECONDS = 5 };
// Cycles at 125 MHz for an SCL of 400 kHz. SCL is high for 0.6 us, including the spike filter and the edges,
// and low for at least 1.3 us. Data is held for 0.3 us.
enum { SCL_HIGH = 125, SCL_LOW = 187, SPIKE = 11, SDA_HOLD = 39 };

static const uint8_t setup[] = {
    0xD5, 0x80,  // clock
    0xA8, 63,    // rows
    0xD3, 0,     // no offset
    0x40,        // from row 0
    0x8D, 0x14,  // charge pump on
    0x20, 0,     // horizontal addressing
    0xA1, 0xC8,  // the module is mounted with its pins at the top
    0xDA, 0x12,  // COM pins of 64 rows
    0x81, 0x7F,  // contrast
    0xD9, 0xF1,  // precharge
    0xDB, 0x40,  // VCOMH
    0xA4, 0xA6,  // shows the display's memory, not inverted
    0x21, 0, WIDTH - 1,
    0x22, 0, PAGES - 1,
};
static const uint8_t display_on[] = {0xAF};

static uint32_t started, words_put;

static bool is_late(void) { return board_microseconds() - started > FRAME_MICROSECONDS; }

static bool is_refused(void) { return IC_RAW_INTR_STAT & IC_INTR_TX_ABRT; }

static void drive(uint32_t pin, bool low) {
  *(low ? &SIO_GPIO_OE_SET : &SIO_GPIO_OE_CLR) = 1u << pin;
  const uint32_t start = board_microseconds();
  while (board_microseconds() - start <= HALF_CLOCK_MICROSECONDS) continue;
}

// If a reset interrupted a transfer, the display may hold SDA low until its byte is complete. It then gets
// nine clocks and a STOP (I2C specification, 3.1.16).
static void free_bus(void) {
  if (SIO_GPIO_IN >> PIN_SDA & 1) return;
  SIO_GPIO_OE_CLR = 1 << PIN_SDA | 1 << PIN_SCL;
  SIO_GPIO_OUT_CLR = 1 << PIN_SDA | 1 << PIN_SCL;
  GPIO_CTRL(PIN_SDA) = FUNCSEL_SIO;
  GPIO_CTRL(PIN_SCL) = FUNCSEL_SIO;
  for (int edge = 0; edge < 2 * CLOCKS_OF_A_BYTE; edge++) drive(PIN_SCL, edge % 2 == 0);
  drive(PIN_SCL, true);
  drive(PIN_SDA, true);
  drive(PIN_SCL, false);
  drive(PIN_SDA, false);
  GPIO_CTRL(PIN_SDA) = FUNCSEL_I2C;
  GPIO_CTRL(PIN_SCL) = FUNCSEL_I2C;
}

static void start_i2c(void) {
  started = board_microseconds();
  words_put = 0;
  IC_ENABLE = 0;
  free_bus();
  IC_CON = IC_CON_MASTER_MODE | IC_CON_SPEED_FAST | IC_CON_RESTART_EN | IC_CON_SLAVE_DISABLE | IC_CON_TX_EMPTY_CTRL;
  IC_TAR = SSD1306_ADDRESS;
  IC_FS_SCL_HCNT = SCL_HIGH;
  IC_FS_SCL_LCNT = SCL_LOW;
  IC_FS_SPKLEN = SPIKE;
  IC_SDA_HOLD = SDA_HOLD;
  IC_ENABLE = 1;
}

static bool put(uint32_t value) {
  while (!(IC_STATUS & IC_STATUS_TFNF))
    if (is_refused() || is_late()) return false;
  IC_DATA_CMD = value;
  words_put++;
  return true;
}

static bool finish(void) {
  while (IC_STATUS & IC_STATUS_MST_ACTIVITY || !(IC_STATUS & IC_STATUS_TFE))
    if (is_refused() || is_late()) return false;
  return !is_refused();
}

static bool send(uint8_t kind, const uint8_t *bytes, uint32_t length) {
  if (!put(kind)) return false;
  for (uint32_t i = 0; i < length; i++)
    if (!put(bytes[i] | (i == length - 1 ? IC_DATA_CMD_STOP : 0))) return false;
  return finish();
}

// Returns eight pixels of column `x`, with the uppermost pixel in the lowest bit. In `rows`, the left pixel
// of a byte is in the highest bit.
__attribute__((noinline)) static uint8_t column(const uint8_t *rows, uint32_t x) {
  uint32_t pixels = 0;
  for (uint32_t y = 0; y < PAGE_ROWS; y++)
    pixels |= (uint32_t)(rows[y * ROW_BYTES + x / 8] >> (7 - x % 8) & 1) << y;
  return (uint8_t)pixels;
}

static uint8_t columns[FRAME_BYTES];

__attribute__((noinline)) static void turn(const uint8_t *frame) {
  for (uint32_t at = 0; at < FRAME_BYTES; at++) columns[at] = column(frame + at / WIDTH * PAGE_ROWS * ROW_BYTES, at % WIDTH);
}

__attribute__((noinline)) static bool is_turned(const uint8_t *frame) {
  bool same = true;
  for (uint32_t at = 0; at < FRAME_BYTES; at++) same &= columns[at] == column(frame + at / WIDTH * PAGE_ROWS * ROW_BYTES, at % WIDTH);
  return same;
}

// The transfer has three parts: setup, pixels, and the command that turns the display on. Each part begins
// with a byte for its type.
enum { WORDS = 1 + sizeof setup + 1 + sizeof columns + 1 + sizeof display_on };

// The bytes are compared and counted, so that a skipped instruction cannot make a partial frame look
// complete.
bool display_show(const uint8_t frame[FRAME_BYTES]) {
  do turn(frame);
  while (!is_turned(frame));
  start_i2c();
  const bool sent = send(COMMANDS, setup, sizeof setup) && send(DATA, columns, sizeof columns) &&
                    send(COMMANDS, display_on, sizeof display_on);
  (void)IC_CLR_TX_ABRT;
  return sent && words_put == WORDS;
}

bool display_rest(bool dark) {
  static const uint8_t dim[] = {0x81, 0x01}, off[] = {0xAE};
  start_i2c();
  if (dark) send(COMMANDS, off, sizeof off);
  else send(COMMANDS, dim, sizeof dim);
  (void)IC_CLR_TX_ABRT;
  return true;
}
