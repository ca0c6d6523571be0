// Debounces two keys that are sampled once a millisecond.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { STABLE_SAMPLES = 8 };

typedef struct {
  uint8_t seen;    // the last sample
  uint8_t stable;  // number of equal samples
  uint8_t chord;   // keys that were down since all were up
  bool ignored;    // the keys that are down no longer count as a press
} debounce_t;

// Takes a bit for each key that is down; returns the keys of a press when the last of them is released,
// otherwise 0.
uint8_t debounce_sample(debounce_t *keys, uint8_t down);
// Keys that are down now, or still bounce, do not count as a press when they are released.
void debounce_forget(debounce_t *keys);
