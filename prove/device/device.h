// The shipped module as native code: one instance, its memory, and the platform below it.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// Names as the HAL numbers them (docs/APDU.md#platform-interface).
enum { LEFT = 1, RIGHT = 2, BOTH = 3 };

enum { SEED_BYTES = 64, SETTINGS_BYTES = 16, PAGE_BYTES = 65536, MAX_COMMAND_BYTES = 261 };

// Static memory of the module, in bytes from address 0; the build's own limit. Beyond it nothing may be
// touched.
enum { STATIC_BYTES = 24576 };

typedef struct {
  uint8_t seed[SEED_BYTES];
  bool locked;
  bool has_settings;
  uint8_t settings[SETTINGS_BYTES];
} platform_t;

// What the firmware finds below itself. Outlives a restart, as flash and a secure element do.
extern platform_t platform;

// Who watches the device.
typedef struct {
  // A text is drawn.
  void (*on_text)(const uint8_t *text, int length, int x, int y, int width, int height);
  // A frame of 1024 bytes is shown.
  void (*on_frame)(const uint8_t *frame);
  // The seed was handed to the firmware: its copy in the module's memory.
  void (*on_seed)(uint8_t *copy);
} observer_t;

// Makes the instance, with this seed of SEED_BYTES. Once, before all else. A trap is a finding.
void device_create(const uint8_t *seed, observer_t observer);

// A restart of the app: memory as the module begins, then boot().
void device_boot(void);

// The module's linear memory.
const uint8_t *device_memory(void);

// Runs command(length) on a copy of `bytes`; the reply's length, 0 while the user decides. The reply stays at
// device_reply().
int device_command(const uint8_t *bytes, int length);
int device_button(int button);
void device_cancel(void);
const uint8_t *device_reply(void);
