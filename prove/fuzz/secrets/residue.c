#include "residue.h"

#include <string.h>

#include "device.h"
#include "finding.h"
#include "secrets.h"

enum { FIRST = 64, BLOCK = 64, OVERLAP = 7 };

static uint8_t seen[STATIC_BYTES];

static void check_block(const uint8_t *memory, int start, const char *after) {
  const int from = start - OVERLAP < FIRST ? FIRST : start - OVERLAP;
  const int to = start + BLOCK + OVERLAP > STATIC_BYTES ? STATIC_BYTES : start + BLOCK + OVERLAP;
  const int at = secrets_find(memory + from, to - from);
  if (at >= 0) finding("8 bytes of a secret stay in memory at %d after %s", from + at, after);
  memcpy(seen + start, memory + start, BLOCK);
}

void on_seed(uint8_t *copy) { (void)copy; }

void check_residue(const char *after) {
  const uint8_t *memory = device_memory();
  for (int start = FIRST; start < STATIC_BYTES; start += BLOCK) {
    if (memcmp(memory + start, seen + start, BLOCK) != 0) check_block(memory, start, after);
  }
}

void residue_reset(void) { memcpy(seen + FIRST, device_memory() + FIRST, STATIC_BYTES - FIRST); }
