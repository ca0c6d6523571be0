// All byte strings that must never be seen: any 8 bytes in a row of one count, also with each 64-bit word
// turned round, as SHA-512 holds them.
#pragma once
#include <stdbool.h>
#include <stdint.h>

void secrets_add(const uint8_t *bytes, int length);
void secrets_clear(void);
// Whether it is time to clear them, for speed.
bool secrets_are_many(void);

// Offset of the first 8 bytes of a secret, or −1.
int secrets_find(const uint8_t *bytes, int length);
