// The keys that the device must use, computed by libsodium.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint32_t index;
  uint8_t private_key[32];
  uint8_t public_key[32];
  // SHA-512 of the private key: the scalar before it is clamped, and the prefix (RFC 8032 §5.1.5).
  uint8_t expanded[64];
  // The account in a transaction: kind 0 and the public key.
  uint8_t account[36];
  // The 66 characters of the address, zero-terminated.
  char address[67];
} keypair_t;

// m/44'/883'/index' of the platform's seed, cached; registers every intermediate secret with secrets.h.
const keypair_t *keypair_of(uint32_t index);

// Clears the cache with all secrets.
void keys_forget(void);

// Writes the only signature that RFC 8032 allows, 64 bytes, to `out`; registers its nonce with secrets.h.
void sign_as(const keypair_t *pair, uint8_t *out, const uint8_t *message, int length);
// Writes R0 for a commitment, and the signature for the revealed bytes (docs/APDU.md#signatures-without-hidden-data); they
// register both parts of the nonce with secrets.h, except the tweak, which is public.
void nonce_point_of(const keypair_t *pair, uint8_t out[32], const uint8_t *commitment, const uint8_t *message, int length);
void sign_revealed(const keypair_t *pair, uint8_t *out, const uint8_t *commitment, const uint8_t *revealed,
                   const uint8_t *message, int length);
// Verifies with OpenSSL.
bool is_signature_of(const keypair_t *pair, const uint8_t *signature, const uint8_t *message, int length);

// The proof of a contact (docs/APDU.md#register_contact). The nodes of its key become secrets.
void contact_proof(uint8_t out[32], const uint8_t *message, size_t length);
