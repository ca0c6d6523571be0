#include "verifier.h"

#include <string.h>

#include "image.h"
#include "runtime.h"
#include "verifier-module.h"

enum { BUFFER_BYTES = 1024 };

static Z_verifier_instance_t verifier;
static uint8_t *buffer;

void verifier_start(void) {
  Z_verifier_init_module();
  Z_verifier_instantiate(&verifier);
  buffer = module_span(Z_verifierZ_buffer(&verifier), BUFFER_BYTES);
}

void digest_of(uint8_t *out, const uint8_t *bytes, uint32_t length) {
  Z_verifierZ_begin_digest(&verifier);
  for (uint32_t at = 0; at < length; at += BUFFER_BYTES) {
    const uint32_t left = length - at, part = left < BUFFER_BYTES ? left : BUFFER_BYTES;
    memcpy(buffer, bytes + at, part);
    Z_verifierZ_add_to_digest(&verifier, part);
  }
  Z_verifierZ_end_digest(&verifier);
  memcpy(out, buffer, DIGEST_BYTES);
}

bool signature_is_right(const uint8_t *digest, const uint8_t *signature, const uint8_t *key) {
  memcpy(buffer, digest, DIGEST_BYTES);
  memcpy(buffer + DIGEST_BYTES, signature, SIGNATURE_BYTES);
  memcpy(buffer + DIGEST_BYTES + SIGNATURE_BYTES, key, KEY_BYTES);
  return Z_verifierZ_signature_is_right(&verifier) == 1;
}
