#include "record.h"

#include <string.h>

#include "crc32.h"

// Reads a word that may be unaligned, because the content before it may have any length.
static uint32_t word_at(const uint8_t *bytes) {
  uint32_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

static const uint8_t *record_in(uint32_t sector, const char *mark, uint32_t length) {
  const uint8_t *record = flash_read(sector);
  const uint32_t end = RECORD_HEAD_BYTES + length;
  return memcmp(record, mark, MARK_BYTES) == 0 && word_at(record + end) == crc32(record, end) ? record : NULL;
}

// Returns the index of the sector with the newest record, or -1 if neither has a valid record. Numbers of
// records may wrap.
static int newest(const uint32_t sectors[2], const char *mark, uint32_t length) {
  const uint8_t *first = record_in(sectors[0], mark, length), *second = record_in(sectors[1], mark, length);
  if (!first) return second ? 1 : -1;
  return second && (int32_t)(word_at(second + MARK_BYTES) - word_at(first + MARK_BYTES)) > 0 ? 1 : 0;
}

const void *record_load(const uint32_t sectors[2], const char *mark, uint32_t length) {
  const int sector = newest(sectors, mark, length);
  return sector < 0 ? NULL : flash_read(sectors[sector]) + RECORD_HEAD_BYTES;
}

// Writes to the sector that does not have the newest record, which stays valid until the new record is
// complete.
bool record_store(const uint32_t sectors[2], const char *mark, const void *content, uint32_t length) {
  static uint8_t page[FLASH_PAGE_BYTES];
  const int before = newest(sectors, mark, length);
  const uint32_t number = before < 0 ? 0 : word_at(flash_read(sectors[before]) + MARK_BYTES) + 1;
  const uint32_t end = RECORD_HEAD_BYTES + length;
  memset(page, 0xFF, sizeof page);
  memcpy(page, mark, MARK_BYTES);
  memcpy(page + MARK_BYTES, &number, sizeof number);
  memcpy(page + RECORD_HEAD_BYTES, content, length);
  const uint32_t crc = crc32(page, end);
  memcpy(page + end, &crc, sizeof crc);
  const uint32_t sector = sectors[before == 0 ? 1 : 0];
  flash_write(sector, page);
  return memcmp(flash_read(sector), page, sizeof page) == 0;
}
