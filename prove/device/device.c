#include "device.h"

#include <string.h>

#include "finding.h"
#include "memory.h"
#include "signer.h"

platform_t platform;

static Z_signer_instance_t signer;
static Z_signer_instance_t fresh_signer;
static uint8_t fresh_memory[STATIC_BYTES];
static uint32_t buffer;
static observer_t watching;

void device_create(const uint8_t *seed, observer_t observer) {
  memcpy(platform.seed, seed, SEED_BYTES);
  watching = observer;
  Z_signer_init_module();
  Z_signer_instantiate(&signer, NULL);
  fresh_signer = signer;
  memcpy(fresh_memory, signer.w2c_memory.data, STATIC_BYTES);
  buffer = Z_signerZ_buffer(&signer);
  memory_guard(STATIC_BYTES);
}

void device_boot(void) {
  signer = fresh_signer;
  memory_unguard();
  memcpy(signer.w2c_memory.data, fresh_memory, STATIC_BYTES);
  memory_guard(STATIC_BYTES);
  Z_signerZ_boot(&signer);
}

const uint8_t *device_memory(void) { return signer.w2c_memory.data; }
const uint8_t *device_reply(void) { return signer.w2c_memory.data + buffer; }

int device_command(const uint8_t *bytes, int length) {
  memcpy(signer.w2c_memory.data + buffer, bytes, length);
  return (int)Z_signerZ_command(&signer, (u32)length);
}

// Writes report number `number` of a command on channel 1. The payload begins with the command's length, u16be.
static void write_report(uint8_t *report, int number, const uint8_t *bytes, int length) {
  const int first = number == 0, at = first ? 7 : 5, sent = first ? 0 : number * 59 - 2;
  const int left = length - sent, count = left < REPORT_BYTES - at ? left : REPORT_BYTES - at;
  memcpy(report, (uint8_t[REPORT_BYTES]){0, 1, 5, 0, (uint8_t)number}, REPORT_BYTES);
  if (first) report[5] = (uint8_t)(length >> 8), report[6] = (uint8_t)length;
  memcpy(report + at, bytes + sent, (size_t)count);
}

int device_command_from_elsewhere(const uint8_t *bytes, int length) {
  uint8_t *report = signer.w2c_memory.data + Z_signerZ_report_buffer(&signer);
  u32 replied = 0;
  for (int number = 0; number == 0 || number * 59 - 2 < length; number++) {
    write_report(report, number, bytes, length);
    replied = Z_signerZ_report(&signer, 1);
  }
  if (!replied) return 0;
  int reply_length = 0;
  for (int number = 0; Z_signerZ_reply_report(&signer); number++) {
    uint8_t right[REPORT_BYTES];
    if (number == 0) reply_length = report[5] << 8 | report[6];
    if (reply_length > MAX_COMMAND_BYTES) finding("a reply of %d bytes in reports", reply_length);
    write_report(right, number, device_reply(), reply_length);
    if (memcmp(report, right, REPORT_BYTES) != 0) finding("report %d of a reply differs from the reply", number);
  }
  return reply_length;
}

int device_button(int button) { return (int)Z_signerZ_button(&signer, (u32)button); }

void device_cancel(void) { Z_signerZ_cancel(&signer); }

// Checks that `length` bytes named by the firmware lie in its static memory.
static uint8_t *at(u32 address, u32 length) {
  if (length > STATIC_BYTES || address > STATIC_BYTES - length) finding("the firmware passed the platform a pointer outside its static memory");
  return signer.w2c_memory.data + address;
}

u32 Z_halZ_locked(struct Z_hal_instance_t *hal) {
  (void)hal;
  return platform.locked;
}

u32 Z_halZ_seed(struct Z_hal_instance_t *hal, u32 out) {
  (void)hal;
  if (platform.locked) return 0;
  memcpy(at(out, SEED_BYTES), platform.seed, SEED_BYTES);
  watching.on_seed(at(out, SEED_BYTES));
  return 1;
}

void Z_halZ_display(struct Z_hal_instance_t *hal, u32 frame) {
  (void)hal;
  watching.on_frame(at(frame, 1024));
}

void Z_halZ_text(struct Z_hal_instance_t *hal, u32 text, u32 length, u32 x, u32 y, u32 width, u32 height) {
  (void)hal;
  watching.on_text(at(text, length), (int)length, (int)x, (int)y, (int)width, (int)height);
}

u32 Z_halZ_settings_load(struct Z_hal_instance_t *hal, u32 out, u32 length) {
  (void)hal;
  if (!platform.has_settings || length != SETTINGS_BYTES) return 0;
  memcpy(at(out, length), platform.settings, length);
  return 1;
}

void Z_halZ_quit(struct Z_hal_instance_t *hal) { (void)hal; }

void Z_halZ_settings_store(struct Z_hal_instance_t *hal, u32 from, u32 length) {
  (void)hal;
  if (length != SETTINGS_BYTES) finding("settings_store was called with a length other than 16");
  memcpy(platform.settings, at(from, length), length);
  platform.has_settings = true;
}
