#include "debounce.h"

uint8_t debounce_sample(debounce_t *keys, uint8_t down) {
  if (down != keys->seen) {
    keys->seen = down;
    keys->stable = 0;
    return 0;
  }
  if (keys->stable < STABLE_SAMPLES) {
    keys->stable++;
    return 0;
  }
  keys->chord |= down;
  if (down) return 0;
  const uint8_t press = keys->ignored ? 0 : keys->chord;
  keys->chord = 0;
  keys->ignored = false;
  return press;
}

void debounce_forget(debounce_t *keys) {
  if (keys->seen || keys->stable < STABLE_SAMPLES) keys->ignored = true;
}
