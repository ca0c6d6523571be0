// Values that depend on the seed, followed by Memcheck: the seed is marked undefined, and so everything
// derived from it.
#pragma once
#include <stdint.h>

// A value became public by the definition of the algorithm. Called from the translated module, where
// declassify.ts writes it.
void declassify_point(const uint8_t *encoded);
void declassify_sum(const uint8_t *scalar);

// Prints the measurements; returns whether Memcheck reported nothing and no secret byte was left.
int is_constant_time(void);
