// Two keys that bounce, sampled once a millisecond.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { STABLE_SAMPLES = 8 };

typedef struct {
  uint8_t seen;    // the last sample
  uint8_t stable;  // how many samples it has been the same
  uint8_t chord;   // keys that were down since all were up
  bool ignored;    // the keys that are down are a press no more
} debounce_t;

// Takes the keys that are down, a bit each; returns the keys of a press when the last of them is let go, else
// 0.
uint8_t debounce_sample(debounce_t *keys, uint8_t down);
// What is down now, or still bounces, is no press when it is let go.
void debounce_forget(debounce_t *keys);
