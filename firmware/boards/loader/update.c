#include "update.h"

#include <stdbool.h>
#include <string.h>

#include "board.h"
#include "counter.h"
#include "image.h"
#include "platform.h"

static void install(uint32_t length) {
  static uint8_t page[FLASH_PAGE_BYTES];
  for (uint32_t at = 0; at < length; at += FLASH_PAGE_BYTES) {
    if (at % SECTOR_BYTES == 0) flash_erase(installed_slot + at);
    memcpy(page, flash_read(staged_slot + at), FLASH_PAGE_BYTES);
    flash_program(installed_slot + at, page);
  }
}

static bool is_staged_empty(void) {
  const uint8_t *header = flash_read(staged_slot);
  for (uint32_t i = 0; i < FLASH_PAGE_BYTES; i++)
    if (header[i] != 0xFF) return false;
  return true;
}

static void stay(void) {
  for (;;) wait_for_image();
}

// The staged image is not erased until the installed image is complete and the counter is raised. After a
// loss of power, it can therefore be installed again. The image is verified in the slot from which it starts.
void update_and_start(void) {
  const uint32_t minimum = counter_read();
  image_t installed = {0}, staged = {0};
  bool is_installed = image_read(&installed, installed_slot, minimum);
  if (image_read(&staged, staged_slot, minimum) && (!is_installed || image_is_newer(&staged, &installed))) {
    install(staged.length);
    is_installed = image_read(&installed, installed_slot, minimum);
  }
  if (!is_installed) stay();
  if (installed.counter > minimum) counter_raise(installed.counter);
  if (!is_staged_empty()) flash_erase(staged_slot);
  // The image is verified a second time, so that one skipped instruction does not start an invalid image.
  if (!image_read(&installed, installed_slot, minimum)) stay();
  start_installed();
}
