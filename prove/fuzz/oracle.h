// Operates the device one step at a time and compares each answer with the model: a difference is a finding.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// Creates the device with the tests' seed; called once, first.
void oracle_create(void);

// Starts a device in factory state, booted, with the platform unlocked.
void oracle_start(void);

void oracle_command(const uint8_t *command, int length);
void oracle_press(int button);
void oracle_cancel(void);
void oracle_restart(void);

// Disconnects the host; the device must then be idle and answer.
void oracle_finish(void);

// Prints statistics of the sessions so far.
void oracle_print_tally(void);
