// Operates the device one step at a time and compares each answer with the model. A difference is a finding.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// Creates the device with the tests' seed; must be called once, before all other functions.
void oracle_create(void);

// Starts a device in factory state, booted, with the platform unlocked.
void oracle_start(void);

void oracle_command(const uint8_t *command, int length);
// From elsewhere: over another link and channel than oracle_command.
void oracle_command_from_elsewhere(const uint8_t *command, int length);
void oracle_press(int button);
void oracle_cancel(void);
void oracle_restart(void);

// Disconnects the host. The device must then be idle and answer commands.
void oracle_finish(void);

// Prints statistics of the sessions so far.
void oracle_print_tally(void);
