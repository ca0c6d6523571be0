// Operates the device one step at a time. A reply or a memory with a secret in it is a finding, as is a trap.
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

// What the screen shows. There is no review unless a command waits for the user.
typedef enum { NO_REVIEW, ITEM_PAGE, APPROVE_PAGE, REJECT_PAGE } page_kind_t;
page_kind_t oracle_page(void);

// Prints statistics of the sessions so far.
void oracle_print_tally(void);
