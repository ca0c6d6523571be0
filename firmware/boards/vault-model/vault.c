// A model of a vault, for a board in a simulator: whoever reads its flash has record and count, and its key is in the
// image. Built with VAULT=model; the keystore's page `Version` says `test board` then.
#include "vault.h"

#include <string.h>

#include "board.h"
#include "crc32.h"

// What is kept is the start of a sector: a mark, a number, content, and the CRC-32 of all three.
enum { MARK_BYTES = 4, NOISE_BYTES = 4096 };
typedef struct {
  char mark[MARK_BYTES];
  uint32_t number;
  uint32_t count;
  uint32_t erasures;
  uint8_t record[RECORD_BYTES];
  uint8_t proof[KEY_BYTES];
  uint8_t has_proof, reserved;
  uint32_t crc;
} contents_t;
static const char MARK[] = "ZBCv";
static const char CHIP_KEY[KEY_BYTES + 1] = "everyone can read the chip's key";

// Filled by whoever tests the board: there is no noise but theirs.
uint8_t model_noise[NOISE_BYTES];
uint32_t model_noise_bytes;
static uint32_t noise_used;
static bool may_stretch;

answer_t board_noise(uint8_t *out, uint32_t length) {
  if (model_noise_bytes > NOISE_BYTES || length > model_noise_bytes - noise_used) return FAILED;
  memcpy(out, model_noise + noise_used, length);
  noise_used += length;
  return DONE;
}

// The two sectors behind those of the settings.
static uint32_t sector_at(int sector) {
  const uint32_t bytes = settings_sectors[1] - settings_sectors[0];
  return settings_sectors[1] + (uint32_t)(1 + sector) * bytes;
}

static const contents_t *contents_in(int sector) {
  const contents_t *contents = (const void *)flash_read(sector_at(sector));
  const bool whole = memcmp(contents->mark, MARK, MARK_BYTES) == 0 &&
                     contents->crc == crc32((const uint8_t *)contents, offsetof(contents_t, crc));
  return whole ? contents : NULL;
}

// The sector with the newest contents; -1 when there are none.
static int newest(void) {
  const contents_t *first = contents_in(0), *second = contents_in(1);
  if (!first) return second ? 1 : -1;
  return second && (int32_t)(second->number - first->number) > 0 ? 1 : 0;
}

static contents_t load(void) {
  const int sector = newest();
  if (sector >= 0) return *contents_in(sector);
  return (contents_t){0};
}

// The newest contents stay until the next are whole, in the other sector.
static answer_t keep(contents_t contents) {
  static uint8_t page[FLASH_PAGE_BYTES];
  const int before = newest();
  contents.number++;
  memcpy(contents.mark, MARK, MARK_BYTES);
  contents.crc = crc32((const uint8_t *)&contents, offsetof(contents_t, crc));
  memset(page, 0xFF, sizeof page);
  memcpy(page, &contents, sizeof contents);
  const int sector = before == 0 ? 1 : 0;
  flash_write(sector_at(sector), page);
  return memcmp(flash_read(sector_at(sector)), page, sizeof page) == 0 ? DONE : FAILED;
}

answer_t vault_read(uint8_t *out) {
  memcpy(out, load().record, RECORD_BYTES);
  return DONE;
}

answer_t vault_write(const uint8_t *from) {
  contents_t contents = load();
  memcpy(contents.record, from, RECORD_BYTES);
  contents.has_proof = 0;
  return keep(contents);
}

// Twice, so that neither sector has what was erased.
answer_t vault_erase(void) {
  contents_t contents = {.number = load().number, .erasures = load().erasures + 1};
  if (keep(contents) != DONE) return FAILED;
  contents.number++;
  return keep(contents);
}

answer_t vault_attempts(uint8_t *out) {
  const uint32_t count = load().count;
  memcpy(out, &count, sizeof count);
  return DONE;
}

answer_t vault_begin_attempt(void) {
  contents_t contents = load();
  contents.count++;
  may_stretch = keep(contents) == DONE;
  return may_stretch ? DONE : FAILED;
}

// What another erasure makes another key of: a record from before is opened by no PIN.
answer_t vault_stretch(const uint8_t *from, uint8_t *out) {
  memset(out, 0, KEY_BYTES);
  if (!may_stretch) return FAILED;
  may_stretch = false;
  const uint32_t erasures = load().erasures;
  for (int i = 0; i < KEY_BYTES; i++) out[i] = from[i] ^ (uint8_t)(CHIP_KEY[i] + (erasures >> (8 * (i % 4))));
  return DONE;
}

// The first proof of a record is that of its writer; from then on only the same clears the count.
answer_t vault_clear_attempts(const uint8_t *proof) {
  contents_t contents = load();
  if (contents.has_proof && memcmp(contents.proof, proof, KEY_BYTES) != 0) return FAILED;
  contents.has_proof = 1;
  memcpy(contents.proof, proof, KEY_BYTES);
  contents.count = 0;
  return keep(contents);
}
