#include "keys.h"

#include <sodium.h>
#include <string.h>

#include "device.h"
#include "secrets.h"

enum { KEPT = 64 };
static const uint32_t HARDENED = 0x80000000;

static void hmac(uint8_t *out, const uint8_t *key, size_t key_length, const uint8_t *message, size_t length) {
  crypto_auth_hmacsha512_state state;
  crypto_auth_hmacsha512_init(&state, key, key_length);
  crypto_auth_hmacsha512_update(&state, message, length);
  crypto_auth_hmacsha512_final(&state, out);
  secrets_add(out, 64);
}

// Replaces the key and chain code in `node` by those of its hardened child (SLIP-0010).
static void derive_child(uint8_t node[64], uint32_t index) {
  const uint32_t hardened = index + HARDENED;
  uint8_t data[37] = {0};
  memcpy(data + 1, node, 32);
  for (int i = 0; i < 4; i++) data[33 + i] = (uint8_t)(hardened >> (24 - 8 * i));
  hmac(node, node + 32, 32, data, sizeof data);
}

static void derive(keypair_t *pair, uint32_t index) {
  uint8_t node[64], secret_key[64], expanded[64], clamped[32];
  hmac(node, (const uint8_t *)"ed25519 seed", 12, platform.seed, SEED_BYTES);
  derive_child(node, 44);
  derive_child(node, 883);
  derive_child(node, index);
  pair->index = index;
  memset(pair->account, 0, 4);
  crypto_sign_ed25519_seed_keypair(pair->account + 4, secret_key, node);
  // SHA-512 of the private key: the scalar before it is clamped, and the prefix (RFC 8032 §5.1.5).
  crypto_hash_sha512(expanded, node, 32);
  secrets_add(expanded, 64);
  crypto_sign_ed25519_sk_to_curve25519(clamped, secret_key);
  secrets_add(clamped, 32);
}

static keypair_t pairs[KEPT];
static int count;

void keys_begin(void) {
  uint8_t node[64];
  count = 0;
  secrets_clear();
  secrets_add(platform.seed, SEED_BYTES);
  hmac(node, (const uint8_t *)"Symmetric key seed", 18, platform.seed, SEED_BYTES);
  hmac(node, node, 32, (const uint8_t *)"\0ZBC signer", 11);
  hmac(node, node, 32, (const uint8_t *)"\0contacts", 9);
}

const keypair_t *keypair_of(uint32_t index) {
  for (int i = 0; i < count; i++) {
    if (pairs[i].index == index) return &pairs[i];
  }
  if (count == KEPT) keys_begin();
  keypair_t *pair = &pairs[count++];
  derive(pair, index);
  return pair;
}
