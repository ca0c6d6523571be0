#include "image.h"

#include <string.h>

#include "board.h"
#include "platform.h"
#include "verifier.h"

// All fields are little-endian and aligned to their size.
typedef struct {
  uint32_t magic, load_address;
  uint16_t header_bytes, protected_bytes;
  uint32_t payload_bytes, flags;
  uint8_t major, minor;
  uint16_t revision;
  uint32_t build, zero;
} header_t;
typedef struct {
  uint16_t type, length;
} tag_t;
// The tags that the signature covers. It does not cover later tags.
typedef struct {
  tag_t area, counter_tag;
  uint32_t counter;
} protected_t;
typedef struct {
  tag_t area, digest_tag;
  uint8_t digest[DIGEST_BYTES];
  tag_t key_tag;
  uint8_t key_hash[DIGEST_BYTES];
  tag_t signature_tag;
  uint8_t signature[SIGNATURE_BYTES];
} signature_t;

enum { TAGS_BYTES = sizeof(protected_t) + sizeof(signature_t) };
enum { WORD = 4, VECTORS_BYTES = 2 * WORD, LARGEST_PAYLOAD = SLOT_BYTES - HEADER_BYTES - TAGS_BYTES };
static const uint32_t MAGIC = 0x96F3B83D;
static const tag_t PROTECTED_AREA = {0x6908, sizeof(protected_t)}, COUNTER = {0x50, sizeof(uint32_t)};
static const tag_t SIGNATURE_AREA = {0x6907, sizeof(signature_t)};
static const tag_t DIGEST = {0x10, DIGEST_BYTES}, KEY_HASH = {0x01, DIGEST_BYTES}, SIGNATURE = {0x24, SIGNATURE_BYTES};

static bool is_tag(const tag_t *tag, const tag_t *expected) {
  return tag->type == expected->type && tag->length == expected->length;
}

// The length of the payload must be a multiple of 4, so that the tags after it are aligned.
static bool is_header(const header_t *header) {
  return header->magic == MAGIC && header->load_address == 0 && header->header_bytes == HEADER_BYTES &&
         header->protected_bytes == sizeof(protected_t) && header->flags == 0 && header->zero == 0 &&
         header->payload_bytes >= VECTORS_BYTES && header->payload_bytes <= LARGEST_PAYLOAD &&
         header->payload_bytes % WORD == 0;
}

static bool are_tags(const protected_t *covered, const signature_t *rest) {
  return is_tag(&covered->area, &PROTECTED_AREA) && is_tag(&covered->counter_tag, &COUNTER) &&
         is_tag(&rest->area, &SIGNATURE_AREA) && is_tag(&rest->digest_tag, &DIGEST) &&
         is_tag(&rest->key_tag, &KEY_HASH) && is_tag(&rest->signature_tag, &SIGNATURE);
}

static bool is_signed(const uint8_t *digest, const signature_t *rest) {
  for (uint32_t i = 0; i < loader_key_count; i++)
    if (memcmp(loader_keys[i].hash, rest->key_hash, DIGEST_BYTES) == 0)
      return signature_is_right(digest, rest->signature, loader_keys[i].key);
  return false;
}

bool image_read(image_t *image, uint32_t slot, uint32_t minimum) {
  const uint8_t *const start = flash_read(slot);
  const header_t *const header = (const void *)start;
  if (!is_header(header)) return false;
  const uint32_t payload_bytes = header->payload_bytes;
  const protected_t *const covered = (const void *)(start + HEADER_BYTES + payload_bytes);
  const signature_t *const rest = (const void *)(covered + 1);
  if (!are_tags(covered, rest) || covered->counter < minimum) return false;
  if (!vectors_fit((const void *)(start + HEADER_BYTES), payload_bytes)) return false;
  uint8_t digest[DIGEST_BYTES];
  digest_of(digest, start, HEADER_BYTES + payload_bytes + sizeof *covered);
  if (memcmp(digest, rest->digest, DIGEST_BYTES) != 0 || !is_signed(digest, rest)) return false;
  *image = (image_t){
      .length = HEADER_BYTES + payload_bytes + sizeof *covered + sizeof *rest,
      .counter = covered->counter,
      .major = header->major,
      .minor = header->minor,
      .revision = header->revision,
      .build = header->build,
  };
  return true;
}

bool image_is_newer(const image_t *image, const image_t *than) {
  if (image->counter != than->counter) return image->counter > than->counter;
  if (image->major != than->major) return image->major > than->major;
  if (image->minor != than->minor) return image->minor > than->minor;
  if (image->revision != than->revision) return image->revision > than->revision;
  return image->build > than->build;
}
