// Drives the device one step at a time and holds each answer against the model: a step that goes wrong is a
// finding.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// Makes the device, with the seed of the tests. Once, before all else.
void oracle_create(void);

// A device as it leaves the factory, booted; the platform unlocked.
void oracle_start(void);

void oracle_command(const uint8_t *command, int length);
void oracle_press(int button);
void oracle_cancel(void);
void oracle_restart(void);

// The host goes away; then the device must be idle and answer.
void oracle_finish(void);

// Prints what the sessions so far came to.
void oracle_print_tally(void);
