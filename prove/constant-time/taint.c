#include "taint.h"

#include <stdio.h>
#include <valgrind/memcheck.h>

#include "device.h"
#include "finding.h"
#include "secrets/residue.h"

// The last two encoded points: R, and R0 if the host contributes to the nonce.
static const uint8_t *points[2];
static unsigned long steps, residue, declassified;

void on_seed(uint8_t *copy) { VALGRIND_MAKE_MEM_UNDEFINED(copy, SEED_BYTES); }

// Makes an encoded point public. Only the public key, R (RFC 8032 §5.1.5 step 4, §5.1.6 step 3) and R0
// (docs/APDU.md#signatures-without-hidden-data) are ever encoded.
void declassify_point(const uint8_t *encoded) {
  points[0] = points[1];
  points[1] = encoded;
  VALGRIND_MAKE_MEM_DEFINED(encoded, 32);
  declassified += 32;
}

// Makes a sum public if it is stored directly after such a point: S after R (§5.1.6 step 6), and after R0 the tweak,
// which is a hash of public values. Every other sum stays secret, such as the nonce.
void declassify_sum(const uint8_t *scalar) {
  if (scalar != points[0] + 32 && scalar != points[1] + 32) return;
  VALGRIND_MAKE_MEM_DEFINED(scalar, 32);
  declassified += 32;
}

// Makes the proof of a contact public, which is formed after the user's approval and then sent.
void declassify_proof(const uint8_t *proof) {
  VALGRIND_MAKE_MEM_DEFINED(proof, 32);
  declassified += 32;
}

// Makes public whether a proof is right; the proof that was computed stays secret.
uint32_t declassify_verdict(uint32_t verdict) {
  VALGRIND_MAKE_MEM_DEFINED(&verdict, sizeof verdict);
  if (verdict > 1) finding("the verdict on a proof is %u", verdict);
  return verdict;
}

void check_residue(const char *after) {
  static uint8_t undefined_bits[PAGE_BYTES];
  unsigned long found = 0;
  VALGRIND_GET_VBITS(device_memory(), undefined_bits, PAGE_BYTES);
  for (int at = 0; at < PAGE_BYTES; at++) found += undefined_bits[at] != 0;
  if (found != 0 && residue == 0) fprintf(stderr, "%lu secret bytes stay in memory after %s\n", found, after);
  residue += found;
  steps++;
}

void residue_reset(void) {}

int is_constant_time(void) {
  const unsigned long reports = VALGRIND_COUNT_ERRORS;
  printf("%lu reports; %lu secret bytes left in memory, in searches after %lu steps; %lu bytes became public\n", reports,
         residue, steps, declassified);
  return RUNNING_ON_VALGRIND && reports == 0 && residue == 0 && declassified > 0;
}
