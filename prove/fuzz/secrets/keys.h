// The keys of the device, computed by libsodium.
#pragma once
#include <stdint.h>

typedef struct {
  uint32_t index;
  // The account in a transaction: kind 0 and the public key.
  uint8_t account[36];
} keypair_t;

// Forgets all secrets, and registers the seed and the key of contacts with secrets.h; must be called first.
void keys_begin(void);

// m/44'/883'/index' of the platform's seed, cached; registers every intermediate secret.
const keypair_t *keypair_of(uint32_t index);
