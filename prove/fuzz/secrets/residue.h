#pragma once
#include <stdint.h>

// Implements observer_t's callback.
void on_seed(uint8_t *copy);

// Reports a finding if 8 bytes of a secret are anywhere in the module's memory. Examines only changes since
// the last call.
void check_residue(const char *after);
// Treats the memory's current content as examined.
void residue_reset(void);
