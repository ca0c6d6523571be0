// Moves reports between the links and the signer, and presses to it while it is in front.
#pragma once
#include <stdbool.h>

// Starts both modules; the menu is on the display.
void exchange_start(void);
// Does what there is to do; false when there was nothing.
bool exchange_step(void);

// For a trap: arms one report with status word 6F00 for the host that waits, if one does.
void exchange_answer_internal(void);
bool exchange_is_answered(void);
