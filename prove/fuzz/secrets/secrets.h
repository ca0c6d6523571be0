// Finds secrets in memory. Any 8 consecutive bytes of a secret count as a leak, also in the byte order in
// which SHA-512 keeps 64-bit words.
#pragma once
#include <stdbool.h>
#include <stdint.h>

void secrets_add(const uint8_t *bytes, int length);
void secrets_clear(void);
// Returns whether there are so many secrets that they should be cleared, for speed.
bool secrets_are_many(void);

// Returns the offset of the first 8 of these bytes that belong to a secret, or −1.
int secrets_find(const uint8_t *bytes, int length);
