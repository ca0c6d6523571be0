// Debounces two keys that are sampled once a millisecond.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { STABLE_SAMPLES = 8 };

typedef struct {
  uint8_t seen;    // the last sample
  uint8_t stable;  // number of consecutive equal samples
  uint8_t chord;   // keys that were down at some time since all keys were up
  bool ignored;    // the keys that are down do not count as a press
} debounce_t;

// Accepts a sample with a bit for each key that is down. When the last key of a press is released, returns
// the keys of the press; otherwise returns 0.
uint8_t debounce_sample(debounce_t *keys, uint8_t down);
// Keys that are down now, or that still bounce, will not count as a press when they are released.
void debounce_forget(debounce_t *keys);
