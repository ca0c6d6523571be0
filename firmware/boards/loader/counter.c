#include "counter.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "board.h"
#include "crc32.h"
#include "platform.h"

// A record is a page that is written once: a mark, the counter, and the CRC-32 of both. A record interrupted
// by a loss of power is incomplete, and occupies its page until the sector is erased. A sector is erased only
// while the other one has the largest counter.
enum { MARK_BYTES = 4, RECORDS = SECTOR_BYTES / FLASH_PAGE_BYTES };
typedef struct {
  char mark[MARK_BYTES];
  uint32_t counter, crc;
} record_t;
static const char MARK[] = "ZBCc";

static const record_t *record_at(int sector, uint32_t index) {
  return (const void *)flash_read(counter_sectors[sector] + index * FLASH_PAGE_BYTES);
}

static bool is_whole(const record_t *record) {
  return memcmp(record->mark, MARK, MARK_BYTES) == 0 &&
         record->crc == crc32((const uint8_t *)record, offsetof(record_t, crc));
}

static bool is_erased(const uint8_t *page) {
  for (uint32_t i = 0; i < FLASH_PAGE_BYTES; i++)
    if (page[i] != 0xFF) return false;
  return true;
}

// Returns the largest counter of a sector, or 0 if the sector has no complete record.
static uint32_t largest_in(int sector) {
  uint32_t largest = 0;
  for (uint32_t i = 0; i < RECORDS; i++) {
    const record_t *record = record_at(sector, i);
    if (is_whole(record) && record->counter > largest) largest = record->counter;
  }
  return largest;
}

uint32_t counter_read(void) {
  const uint32_t first = largest_in(0), second = largest_in(1);
  return first > second ? first : second;
}

static void write_record(int sector, uint32_t index, uint32_t counter) {
  static uint8_t page[FLASH_PAGE_BYTES];
  record_t record = {.counter = counter};
  memcpy(record.mark, MARK, MARK_BYTES);
  record.crc = crc32((const uint8_t *)&record, offsetof(record_t, crc));
  memset(page, 0xFF, sizeof page);
  memcpy(page, &record, sizeof record);
  flash_program(counter_sectors[sector] + index * FLASH_PAGE_BYTES, page);
}

void counter_raise(uint32_t counter) {
  const int sector = largest_in(1) > largest_in(0) ? 1 : 0;
  for (uint32_t i = 0; i < RECORDS; i++) {
    if (!is_erased((const uint8_t *)record_at(sector, i))) continue;
    write_record(sector, i, counter);
    return;
  }
  flash_erase(counter_sectors[!sector]);
  write_record(!sector, 0, counter);
}
