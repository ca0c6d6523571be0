// The stored counter: the smallest security counter that an image must have to be started. It never
// decreases, even if power fails.
#pragma once
#include <stdint.h>

uint32_t counter_read(void);
// `counter` must be above counter_read().
void counter_raise(uint32_t counter);
