// Display and keys: the keystore's until a seed is open, then the signer's (docs/KEYSTORE.md#platform).
#pragma once
#include <stdbool.h>
#include <stdint.h>

// What the signer's imports are called with: whose they are.
extern struct Z_hal_instance_t signer_hal;

// Starts the keystore, which has display and keys then.
void front_start(void);
// Does what the keystore has to do without a press; false when there was nothing.
bool front_work(void);
// The oldest press for the signer, 0 when there is none; the keystore's presses go to it.
uint8_t front_take_press(void);
// Whether the frame was on the display when it was taken.
bool front_press_counts(void);
// Gives display and keys to the module whose turn it is; true when that changed. A keystore that comes to the
// front waits while a command is pending.
bool front_settle(bool is_pending);
// Shows what the module in front drew.
void front_show(void);
// Whether the signer drew since the last front_forget_drawing().
bool front_signer_drew(void);
void front_forget_drawing(void);
// Whether reports of hosts wait: the time of drawing after a press in the keystore depends on words.
bool front_is_quiet(void);
