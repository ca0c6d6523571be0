#include "secrets.h"

#include <string.h>

#include "finding.h"

enum { WINDOW = 8, SLOTS = 1 << 16, MANY = 20000, FILTER_BITS = 18 };

// `slots` is a hash table with open addressing. Each entry is a window: 8 consecutive bytes of a secret. An
// entry of zeros is empty. `filter`, which has one bit for each window, is checked first.
static uint64_t slots[SLOTS];
static uint64_t filter[(1 << FILTER_BITS) / 64];
static int count;

static uint64_t mix(uint64_t window) { return window * 0x9e3779b97f4a7c15u; }

static uint64_t window_at(const uint8_t *bytes) {
  uint64_t window;
  memcpy(&window, bytes, sizeof window);
  return window;
}

static void add_window(uint64_t window) {
  if (window == 0) return;
  const uint64_t hash = mix(window);
  uint32_t slot = (uint32_t)(hash >> 48);
  while (slots[slot] != 0 && slots[slot] != window) slot = (slot + 1) % SLOTS;
  if (slots[slot] == window) return;
  if (++count > SLOTS / 2) finding("the harness cannot hold more secrets");
  slots[slot] = window;
  const uint64_t bit = hash >> (64 - FILTER_BITS);
  filter[bit / 64] |= 1ull << (bit % 64);
}

void secrets_add(const uint8_t *bytes, int length) {
  for (int i = 0; i + WINDOW <= length; i++) add_window(window_at(bytes + i));
  for (int i = 0; i + WINDOW <= length; i += WINDOW) add_window(__builtin_bswap64(window_at(bytes + i)));
}

void secrets_clear(void) {
  memset(slots, 0, sizeof slots);
  memset(filter, 0, sizeof filter);
  count = 0;
}

bool secrets_are_many(void) { return count > MANY; }

static bool is_secret(uint64_t window, uint64_t hash) {
  for (uint32_t slot = (uint32_t)(hash >> 48); slots[slot] != 0; slot = (slot + 1) % SLOTS) {
    if (slots[slot] == window) return true;
  }
  return false;
}

int secrets_find(const uint8_t *bytes, int length) {
  for (int i = 0; i + WINDOW <= length; i++) {
    const uint64_t window = window_at(bytes + i);
    const uint64_t hash = mix(window);
    const uint64_t bit = hash >> (64 - FILTER_BITS);
    if ((filter[bit / 64] >> (bit % 64) & 1) != 0 && is_secret(window, hash)) return i;
  }
  return -1;
}
