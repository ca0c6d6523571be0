// The smallest security counter that may start: it only grows, even if power fails.
#pragma once
#include <stdint.h>

uint32_t counter_read(void);
// `counter` must be above counter_read().
void counter_raise(uint32_t counter);
