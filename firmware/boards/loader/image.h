// Signed images as `zbc-signer image sign` writes them, in MCUboot's format
// (docs/boards/loader.md#the-image).
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { HEADER_BYTES = 256, DIGEST_BYTES = 32, KEY_BYTES = 32, SIGNATURE_BYTES = 64 };

typedef struct {
  uint32_t length;  // in bytes, including header and tags
  uint32_t counter;
  uint8_t major, minor;
  uint16_t revision;
  uint32_t build;
} image_t;

typedef struct {
  uint8_t hash[DIGEST_BYTES];  // hash of `key`, by which an image names its key
  uint8_t key[KEY_BYTES];
} loader_key_t;

// Written by tools/image/loader-keys.ts.
extern const loader_key_t loader_keys[];
extern const uint32_t loader_key_count;

// Reads the image in a slot. Returns true if it was signed with one of the keys, has a counter of at least
// `minimum`, and was linked for the installed slot.
bool image_read(image_t *image, uint32_t slot, uint32_t minimum);
// Compares the counter first, then the version.
bool image_is_newer(const image_t *image, const image_t *than);
