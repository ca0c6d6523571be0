#include "storage.h"

#include <string.h>

#include "board.h"
#include "crc32.h"

// A record is the start of a sector: a mark, a number, content, and the CRC-32 of all three.
enum { MARK_BYTES = 4 };
typedef struct {
  char mark[MARK_BYTES];
  uint32_t number;
  uint8_t settings[SETTINGS_BYTES];
  uint32_t crc;
} settings_record_t;
static const char SETTINGS_MARK[] = "ZBCs";

static const settings_record_t *settings_in(int sector) {
  const settings_record_t *record = (const void *)flash_read(settings_sectors[sector]);
  const bool whole = memcmp(record->mark, SETTINGS_MARK, MARK_BYTES) == 0 &&
                     record->crc == crc32((const uint8_t *)record, offsetof(settings_record_t, crc));
  return whole ? record : NULL;
}

// The sector with the newest record; -1 when there is none. Numbers may wrap.
static int newest_settings(void) {
  const settings_record_t *first = settings_in(0), *second = settings_in(1);
  if (!first) return second ? 1 : -1;
  return second && (int32_t)(second->number - first->number) > 0 ? 1 : 0;
}

bool settings_load(uint8_t *out) {
  const int newest = newest_settings();
  if (newest < 0) return false;
  memcpy(out, settings_in(newest)->settings, SETTINGS_BYTES);
  return true;
}

// The newest record stays until the next one is whole, in the other sector.
void settings_store(const uint8_t *settings) {
  static uint8_t page[FLASH_PAGE_BYTES];
  const int newest = newest_settings();
  settings_record_t record = {.number = newest < 0 ? 0 : settings_in(newest)->number + 1};
  memcpy(record.mark, SETTINGS_MARK, MARK_BYTES);
  memcpy(record.settings, settings, SETTINGS_BYTES);
  record.crc = crc32((const uint8_t *)&record, offsetof(settings_record_t, crc));
  memset(page, 0xFF, sizeof page);
  memcpy(page, &record, sizeof record);
  flash_write(settings_sectors[newest == 0 ? 1 : 0], page);
}
