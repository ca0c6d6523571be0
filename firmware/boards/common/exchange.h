// Moves reports between the links and the signer, and presses to it while it is in front.
#pragma once
#include <stdbool.h>

// Starts both modules, which draw the menu.
void exchange_start(void);
// Does pending work; returns false if there was none.
bool exchange_step(void);

// For a trap: prepares one report with status word 6F00 for the waiting host, if any.
void exchange_answer_internal(void);
bool exchange_is_answered(void);
