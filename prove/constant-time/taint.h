// What depends on the seed, as Memcheck follows it: the seed is marked undefined, and so becomes all that is
// made of it.
#pragma once
#include <stdint.h>

// A value became public by the definition of the algorithm. Called from the translated module, where
// declassify.ts writes it.
void declassify_point(const uint8_t *encoded);
void declassify_sum(const uint8_t *scalar);

// Prints what was measured; whether Memcheck reported nothing and no secret byte was left.
int is_constant_time(void);
