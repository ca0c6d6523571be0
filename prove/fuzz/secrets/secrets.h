// All secret byte strings: any 8 consecutive bytes count as a leak, also with reversed 64-bit words, which
// SHA-512 uses.
#pragma once
#include <stdbool.h>
#include <stdint.h>

void secrets_add(const uint8_t *bytes, int length);
void secrets_clear(void);
// Whether the secrets should be cleared, for speed.
bool secrets_are_many(void);

// Offset of the first 8 bytes of a secret, or −1.
int secrets_find(const uint8_t *bytes, int length);
