#include "keys.h"

#include <openssl/evp.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "secrets.h"
#include "bytes.h"
#include "secrets/sha3.h"

enum { KEPT = 64 };
static const uint32_t HARDENED = 0x80000000;

static void hmac(uint8_t *out, const uint8_t *key, size_t key_length, const uint8_t *message, size_t length) {
  crypto_auth_hmacsha512_state state;
  crypto_auth_hmacsha512_init(&state, key, key_length);
  crypto_auth_hmacsha512_update(&state, message, length);
  crypto_auth_hmacsha512_final(&state, out);
}

// Replaces the key and chain code in `node` by those of its hardened child (SLIP-0010).
static void derive_child(uint8_t node[64], uint32_t index) {
  const uint32_t hardened = index + HARDENED;
  uint8_t data[37] = {0};
  memcpy(data + 1, node, 32);
  for (int i = 0; i < 4; i++) data[33 + i] = (uint8_t)(hardened >> (24 - 8 * i));
  hmac(node, node + 32, 32, data, sizeof data);
  secrets_add(node, 64);
}

static void format_address(char *out, const uint8_t *public_key) {
  uint8_t bytes[32 + 32];
  memcpy(bytes, public_key, 32);
  sha3_256(bytes + 32, (part_t[]){{public_key, 32}, {"ZBC", 3}}, 2);
  memcpy(out, "ZBC", 3);
  char *at = out + 3;
  for (int digit = 0; digit < 56; digit++) {
    int value = 0;
    for (int bit = 5 * digit; bit < 5 * digit + 5; bit++) value = value << 1 | (bytes[bit / 8] >> (7 - bit % 8) & 1);
    if (digit % 8 == 0) *at++ = '_';
    *at++ = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[value];
  }
  *at = 0;
}

static void derive(keypair_t *pair, uint32_t index) {
  uint8_t node[64], secret_key[64];
  hmac(node, (const uint8_t *)"ed25519 seed", 12, platform.seed, SEED_BYTES);
  secrets_add(node, 64);
  derive_child(node, 44);
  derive_child(node, 883);
  derive_child(node, index);
  pair->index = index;
  memcpy(pair->private_key, node, 32);
  crypto_sign_ed25519_seed_keypair(pair->public_key, secret_key, pair->private_key);
  crypto_hash_sha512(pair->expanded, pair->private_key, 32);
  memset(pair->account, 0, 4);
  memcpy(pair->account + 4, pair->public_key, 32);
  format_address(pair->address, pair->public_key);
}

void contact_proof(uint8_t out[32], const uint8_t *message, size_t length) {
  uint8_t node[64];
  hmac(node, (const uint8_t *)"Symmetric key seed", 18, platform.seed, SEED_BYTES);
  secrets_add(node, 64);
  hmac(node, node, 32, (const uint8_t *)"\0ZBC signer", 11);
  secrets_add(node, 64);
  hmac(node, node, 32, (const uint8_t *)"\0contacts", 9);
  secrets_add(node, 64);
  hmac(node, node + 32, 32, message, length);
  memcpy(out, node, 32);
}

static void add_secrets(const keypair_t *pair) {
  uint8_t clamped[32];
  crypto_sign_ed25519_sk_to_curve25519(clamped, pair->private_key);
  secrets_add(clamped, 32);
  secrets_add(pair->private_key, 32);
  secrets_add(pair->expanded, 64);
}

static keypair_t pairs[KEPT];
static int count;

void keys_forget(void) {
  count = 0;
  secrets_clear();
}

const keypair_t *keypair_of(uint32_t index) {
  for (int i = 0; i < count; i++) {
    if (pairs[i].index == index) return &pairs[i];
  }
  if (count == KEPT) keys_forget();
  keypair_t *pair = &pairs[count++];
  secrets_add(platform.seed, SEED_BYTES);
  derive(pair, index);
  add_secrets(pair);
  return pair;
}

void sign_as(const keypair_t *pair, uint8_t *out, const uint8_t *message, int length) {
  crypto_hash_sha512_state state;
  uint8_t nonce[64], reduced[32], secret_key[64];
  crypto_hash_sha512_init(&state);
  crypto_hash_sha512_update(&state, pair->expanded + 32, 32);
  crypto_hash_sha512_update(&state, message, (size_t)length);
  crypto_hash_sha512_final(&state, nonce);
  secrets_add(nonce, 64);
  crypto_core_ed25519_scalar_reduce(reduced, nonce);
  secrets_add(reduced, 32);
  memcpy(secret_key, pair->private_key, 32);
  memcpy(secret_key + 32, pair->public_key, 32);
  crypto_sign_ed25519_detached(out, NULL, message, (size_t)length, secret_key);
}

// Writes SHA-512 of the prefix (if any), the tag and number of a part, two pieces and `length` bytes at `last`, mod L.
static void make_part(uint8_t out[32], const uint8_t *prefix, uint8_t part, const uint8_t *first, const uint8_t *last, int length) {
  static const uint8_t tag[15] = "\xffZBC-ANTI-EXFIL";
  crypto_hash_sha512_state state;
  uint8_t hash[64];
  crypto_hash_sha512_init(&state);
  if (prefix) crypto_hash_sha512_update(&state, prefix, 32);
  crypto_hash_sha512_update(&state, tag, sizeof tag);
  crypto_hash_sha512_update(&state, &part, 1);
  crypto_hash_sha512_update(&state, first, 32);
  crypto_hash_sha512_update(&state, last, (size_t)length);
  crypto_hash_sha512_final(&state, hash);
  crypto_core_ed25519_scalar_reduce(out, hash);
  if (!prefix) return;
  secrets_add(hash, 64);
  secrets_add(out, 32);
}

void nonce_point_of(const keypair_t *pair, uint8_t out[32], const uint8_t *commitment, const uint8_t *message, int length) {
  uint8_t own[32];
  make_part(own, pair->expanded + 32, 0, commitment, message, length);
  crypto_scalarmult_ed25519_base_noclamp(out, own);
}

void sign_revealed(const keypair_t *pair, uint8_t *out, const uint8_t *commitment, const uint8_t *revealed,
                   const uint8_t *message, int length) {
  crypto_hash_sha512_state state;
  uint8_t own[32], tweak[32], point[32], nonce[32], hash[64], challenge[32], scalar[32];
  make_part(own, pair->expanded + 32, 0, commitment, message, length);
  nonce_point_of(pair, point, commitment, message, length);
  make_part(tweak, NULL, 1, point, revealed, 32);
  crypto_core_ed25519_scalar_add(nonce, own, tweak);
  secrets_add(nonce, 32);
  crypto_scalarmult_ed25519_base_noclamp(out, nonce);
  crypto_hash_sha512_init(&state);
  crypto_hash_sha512_update(&state, out, 32);
  crypto_hash_sha512_update(&state, pair->public_key, 32);
  crypto_hash_sha512_update(&state, message, (size_t)length);
  crypto_hash_sha512_final(&state, hash);
  crypto_core_ed25519_scalar_reduce(challenge, hash);
  crypto_sign_ed25519_sk_to_curve25519(scalar, pair->private_key);
  crypto_core_ed25519_scalar_mul(challenge, challenge, scalar);
  crypto_core_ed25519_scalar_add(out + 32, nonce, challenge);
}

bool is_signature_of(const keypair_t *pair, const uint8_t *signature, const uint8_t *message, int length) {
  EVP_PKEY *key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, pair->public_key, 32);
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  const bool valid = EVP_DigestVerifyInit(context, NULL, NULL, NULL, key) == 1 &&
                     EVP_DigestVerify(context, signature, 64, message, (size_t)length) == 1;
  EVP_MD_CTX_free(context);
  EVP_PKEY_free(key);
  return valid;
}
