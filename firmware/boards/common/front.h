// Display and keys: the keystore's until a seed is open, then the signer's (docs/KEYSTORE.md#platform).
#pragma once
#include <stdbool.h>
#include <stdint.h>

// The argument of the signer's imports, which identifies the module.
extern struct Z_hal_instance_t signer_hal;

// Starts the keystore, which then has display and keys.
void front_start(void);
// Does the keystore's pending work; returns false if there was none.
bool front_work(void);
// The oldest press for the signer, 0 if there is none; passes the keystore's presses to it.
uint8_t front_take_press(void);
// Whether the frame was on the display when the press was taken.
bool front_press_counts(void);
// Gives display and keys to the module whose turn it is; returns true if that changed. While a command is
// pending, the keystore waits.
bool front_settle(bool is_pending);
// Shows the drawing of the module in front.
void front_show(void);
// Whether the signer drew since the last front_forget_drawing().
bool front_signer_drew(void);
void front_forget_drawing(void);
// Whether reports of hosts must wait: the drawing time after a press in the keystore depends on secret words.
bool front_is_quiet(void);
