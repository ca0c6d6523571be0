#pragma once

// A finding if 8 bytes of a secret stand anywhere in the module's memory. Looks only at what changed since
// the last call.
void check_residue(const char *after);
// What the memory holds is as new.
void residue_reset(void);
