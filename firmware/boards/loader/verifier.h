// The module that verifies images (firmware/loader/verifier.ts), translated to C.
#pragma once
#include <stdbool.h>
#include <stdint.h>

void verifier_start(void);
// Writes the 32 bytes of SHA-256 to `out`.
void digest_of(uint8_t *out, const uint8_t *bytes, uint32_t length);
// Returns whether the signature is a valid Ed25519 signature of the 32-byte digest.
bool signature_is_right(const uint8_t *digest, const uint8_t *signature, const uint8_t *key);
