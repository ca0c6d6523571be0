// The presses of two keys, from samples of which are down.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { KEY_LEFT = 1, KEY_RIGHT = 2, KEYS_SAMPLED_EVERY_MICROSECONDS = 1000 };

// From the interrupt of a timer.
void buttons_sample(uint8_t down);
// 0 none, 1 left, 2 right, 3 both: the oldest press that began after the last buttons_forget().
uint8_t buttons_take(void);
void buttons_forget(void);
