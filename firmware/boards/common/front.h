// Gives display and keys to one of two modules: to the keystore until a seed is open, then to the signer
// (docs/KEYSTORE.md#platform).
#pragma once
#include <stdbool.h>
#include <stdint.h>

// The argument of the signer's imports, which identifies the module.
extern struct Z_hal_instance_t signer_hal;

// Starts the keystore, which then has display and keys.
void front_start(void);
// Does pending work of the keystore. Returns false if nothing was pending.
bool front_work(void);
// Removes the oldest press. If the signer has the display, returns the press. Otherwise passes the press to
// the keystore and returns 0.
uint8_t front_take_press(void);
// Returns whether the current frame was on the display at the last press. If not, the press has no effect.
bool front_press_counts(void);
// Gives display and keys to the module that must have them. Returns true if they changed from one module to
// the other. While a command is pending, they do not change.
bool front_settle(bool is_pending);
// Shows the drawing of the module that has the display, if it is not shown yet.
void front_show(void);
// Returns whether the signer drew since the last front_forget_drawing().
bool front_signer_drew(void);
void front_forget_drawing(void);
// Returns whether reports from hosts must wait. After a press in the keystore, the drawing time depends on
// secret words, and a host could measure it.
bool front_is_quiet(void);
