// Passes reports between the links and the signer. Passes button presses to the signer while it has the
// display.
#pragma once
#include <stdbool.h>

// Starts the keystore and the signer. The keystore draws its menu.
void exchange_start(void);
// Does pending work. Returns false if nothing was pending.
bool exchange_step(void);

// Called by trap(): prepares a report with status word 6F00 for the host that waits for a reply, if any.
void exchange_answer_internal(void);
bool exchange_is_answered(void);
