// The smallest security counter that may start: it only grows, whenever power goes.
#pragma once
#include <stdint.h>

uint32_t counter_read(void);
// `counter` is above counter_read().
void counter_raise(uint32_t counter);
