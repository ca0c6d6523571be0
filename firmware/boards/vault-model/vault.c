// A model of a vault, for a board in a simulator. It does not protect the seed: the record and the count are
// readable in flash, and the key is in the image. It is built with VAULT=model. The keystore's page `Version`
// then shows `test board`.
#include "vault.h"

#include <string.h>

#include "board.h"
#include "record.h"

enum { NOISE_BYTES = 4096 };
typedef struct {
  uint32_t count;
  uint32_t erasures;
  uint8_t record[RECORD_BYTES];
  uint8_t proof[KEY_BYTES];
  uint8_t has_record, reserved;
} contents_t;
static const char MARK[] = "ZBCv";
static const char CHIP_KEY[KEY_BYTES + 1] = "everyone can read the chip's key";

// The noise. A test fills the buffer, which is given again after its end, because RAM has no room for the
// noise of all PINs of a test. The board has no other source of noise.
uint8_t model_noise[NOISE_BYTES];
uint32_t model_noise_bytes;
static uint32_t noise_used;
static bool may_stretch;

answer_t board_noise(uint8_t *out, uint32_t length) {
  if (noise_used == model_noise_bytes) noise_used = 0;
  if (model_noise_bytes > NOISE_BYTES || length > model_noise_bytes - noise_used) return FAILED;
  memcpy(out, model_noise + noise_used, length);
  noise_used += length;
  return DONE;
}

// Returns the offsets of the two sectors after the sectors of the settings.
static const uint32_t *sectors(void) {
  static uint32_t offsets[2];
  const uint32_t bytes = settings_sectors[1] - settings_sectors[0];
  for (uint32_t i = 0; i < 2; i++) offsets[i] = settings_sectors[1] + (1 + i) * bytes;
  return offsets;
}

static contents_t load(void) {
  contents_t contents = {0};
  const void *kept = record_load(sectors(), MARK, sizeof contents);
  if (kept) memcpy(&contents, kept, sizeof contents);
  return contents;
}

static answer_t keep(contents_t contents) {
  return record_store(sectors(), MARK, &contents, sizeof contents) ? DONE : FAILED;
}

answer_t vault_read(uint8_t *out) {
  memcpy(out, load().record, RECORD_BYTES);
  return DONE;
}

answer_t vault_write(const uint8_t *record, const uint8_t *old_proof, const uint8_t *new_proof) {
  contents_t contents = load();
  if (contents.has_record && memcmp(contents.proof, old_proof, KEY_BYTES) != 0) return FAILED;
  contents.has_record = 1;
  memcpy(contents.record, record, RECORD_BYTES);
  memcpy(contents.proof, new_proof, KEY_BYTES);
  return keep(contents);
}

// The empty record is written twice, so that it overwrites both sectors, and neither keeps the erased data.
answer_t vault_erase(void) {
  const contents_t contents = {.erasures = load().erasures + 1};
  return keep(contents) == DONE ? keep(contents) : FAILED;
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

// Every erasure changes the key, so that no PIN opens an earlier record.
answer_t vault_stretch(const uint8_t *from, uint8_t *out) {
  memset(out, 0, KEY_BYTES);
  if (!may_stretch) return FAILED;
  may_stretch = false;
  const uint32_t erasures = load().erasures;
  for (int i = 0; i < KEY_BYTES; i++) out[i] = from[i] ^ (uint8_t)(CHIP_KEY[i] + (erasures >> (8 * (i % 4))));
  return DONE;
}

answer_t vault_clear_attempts(const uint8_t *proof) {
  contents_t contents = load();
  if (!contents.has_record || memcmp(contents.proof, proof, KEY_BYTES) != 0) return FAILED;
  contents.count = 0;
  return keep(contents);
}
