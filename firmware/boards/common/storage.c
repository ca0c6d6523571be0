#include "storage.h"

#include <string.h>

#include "board.h"
#include "record.h"

static const char MARK[] = "ZBCs";

bool settings_load(uint8_t *out) {
  const uint8_t *settings = record_load(settings_sectors, MARK, SETTINGS_BYTES);
  if (settings) memcpy(out, settings, SETTINGS_BYTES);
  return settings != NULL;
}

void settings_store(const uint8_t *settings) {
  (void)record_store(settings_sectors, MARK, settings, SETTINGS_BYTES);
}
