// The random bit of the ring oscillator (datasheet 2.17.5). The oscillator is independent of the crystal and
// otherwise unused. Reads in quick succession would return the same bit, so each read waits for several of
// its periods.
#include "board.h"
#include "registers.h"
#include "vault.h"

enum { BIT_MICROSECONDS = 10, BITS = 8 };

static uint32_t next_bit(void) {
  const uint32_t start = board_microseconds();
  while (board_microseconds() - start <= BIT_MICROSECONDS) continue;
  return ROSC_RANDOMBIT & 1;
}

answer_t board_noise(uint8_t *out, uint32_t length) {
  const uint32_t running = ROSC_STATUS_STABLE | ROSC_STATUS_ENABLED;
  for (uint32_t at = 0; at < length; at++) {
    if ((ROSC_STATUS & running) != running) return FAILED;
    uint32_t byte = 0;
    for (int bit = 0; bit < BITS; bit++) byte = byte << 1 | next_bit();
    out[at] = (uint8_t)byte;
  }
  return DONE;
}
