// Detects presses of two keys from samples.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { KEY_LEFT = 1, KEY_RIGHT = 2, KEYS_SAMPLED_EVERY_MICROSECONDS = 1000 };

// Called from a timer's interrupt.
void buttons_sample(uint8_t down);
// Supplied by a board or a panel: returns KEY_LEFT, KEY_RIGHT, both or 0, for the keys that are down. The
// timer interrupt in cortex-m/ calls it.
uint8_t keys_down(void);
// Removes and returns the oldest press since the last buttons_forget(): 0 no press, 1 left, 2 right, 3 both.
uint8_t buttons_take(void);
void buttons_forget(void);
