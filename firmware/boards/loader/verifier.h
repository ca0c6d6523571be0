// The verifying module (firmware/loader/verifier.ts), translated to C.
#pragma once
#include <stdbool.h>
#include <stdint.h>

void verifier_start(void);
// SHA-256, 32 bytes to `out`.
void digest_of(uint8_t *out, const uint8_t *bytes, uint32_t length);
// Ed25519 over a digest of 32 bytes.
bool signature_is_right(const uint8_t *digest, const uint8_t *signature, const uint8_t *key);
