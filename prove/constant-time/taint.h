// Follows values that depend on the seed with Memcheck: the seed is marked undefined, which makes everything
// derived from it undefined too.
#pragma once
#include <stdint.h>

// Mark a value as defined when the algorithm publishes it. declassify.ts adds calls of these functions to the
// translated module.
void declassify_point(const uint8_t *encoded);
void declassify_sum(const uint8_t *scalar);
void declassify_proof(const uint8_t *proof);
uint32_t declassify_verdict(uint32_t verdict);

// Prints the measurements; returns whether Memcheck reported nothing and no secret byte was left.
int is_constant_time(void);
