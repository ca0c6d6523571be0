// The shipped module as native code: one instance, its memory, and the platform below it.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// Numbers of the buttons (docs/APDU.md#platform-interface).
enum { LEFT = 1, RIGHT = 2, BOTH = 3 };

enum { SEED_BYTES = 64, SETTINGS_BYTES = 16, REPORT_BYTES = 64, PAGE_BYTES = 65536, MAX_COMMAND_BYTES = 261 };

// Size of the module's static memory, which begins at address 0. An access beyond it is an error.
enum { STATIC_BYTES = 24576 };

typedef struct {
  uint8_t seed[SEED_BYTES];
  bool locked;
  bool has_settings;
  uint8_t settings[SETTINGS_BYTES];
} platform_t;

// The firmware's platform. It survives a restart, like flash and a secure element.
extern platform_t platform;

// Functions that observe the device.
typedef struct {
  // Called when a text is drawn.
  void (*on_text)(const uint8_t *text, int length, int x, int y, int width, int height);
  // Called when a frame of 1024 bytes is shown.
  void (*on_frame)(const uint8_t *frame);
  // Called with the firmware's copy of the seed in its memory.
  void (*on_seed)(uint8_t *copy);
} observer_t;

// Creates the instance with a seed of SEED_BYTES; must be called once, before all other functions. A trap is
// reported as a finding.
void device_create(const uint8_t *seed, observer_t observer);

// Restarts the app: resets memory to its initial content, then calls boot().
void device_boot(void);

// The module's linear memory.
const uint8_t *device_memory(void);

// Runs command(length) on a copy of `bytes`. Returns the length of the reply, which is at device_reply(), or
// 0 if the user must decide first.
int device_command(const uint8_t *bytes, int length);
// Sends a command from elsewhere: in reports, over a link and channel of its own. Returns as device_command
// does; the reply was also read in reports.
int device_command_from_elsewhere(const uint8_t *bytes, int length);
int device_button(int button);
void device_cancel(void);
const uint8_t *device_reply(void);
