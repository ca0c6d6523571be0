// Detects presses of two keys from samples.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { KEY_LEFT = 1, KEY_RIGHT = 2, KEYS_SAMPLED_EVERY_MICROSECONDS = 1000 };

// Called from a timer's interrupt.
void buttons_sample(uint8_t down);
// KEY_LEFT and KEY_RIGHT of the keys that are down, from a panel or the board's own, for the tick of
// cortex-m/.
uint8_t keys_down(void);
// 0 none, 1 left, 2 right, 3 both: the oldest press since the last buttons_forget().
uint8_t buttons_take(void);
void buttons_forget(void);
