#pragma once
#include <stdint.h>

// As observer_t wants it.
void on_seed(uint8_t *copy);

// A finding if 8 bytes of a secret stand anywhere in the module's memory. Looks only at what changed since
// the last call.
void check_residue(const char *after);
// What the memory holds is as new.
void residue_reset(void);
