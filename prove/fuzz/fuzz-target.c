// The interface to libFuzzer. It changes sessions step by step, so that most of them stay valid.
#include <stdlib.h>
#include <string.h>

#include "oracle.h"
#include "session/session.h"
#include "bytes.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc;
  (void)argv;
  oracle_create();
  atexit(oracle_print_tally);
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
  run_session(bytes, (int)length);
  return 0;
}

enum { MAX_PAYLOAD = 4400 };

static size_t write_step(uint8_t *out, size_t at, size_t max, uint8_t code, const uint8_t *payload, int length) {
  if (at + STEP_HEADER + (size_t)length > max) return at;
  out[at] = code;
  put_u16(out + at + 1, (uint32_t)length);
  memcpy(out + at + STEP_HEADER, payload, (size_t)length);
  return at + STEP_HEADER + (size_t)length;
}

// Changes the payload of one step with the fuzzer's mutators, and updates its length.
static size_t write_changed(uint8_t *out, size_t at, size_t max, const step_t *step) {
  static uint8_t payload[MAX_PAYLOAD];
  const int length = step->length < MAX_PAYLOAD ? step->length : MAX_PAYLOAD;
  memcpy(payload, step->payload, (size_t)length);
  const size_t changed = LLVMFuzzerMutate(payload, (size_t)length, MAX_PAYLOAD);
  return write_step(out, at, max, step->code, payload, (int)changed);
}

static size_t write_new(uint8_t *out, size_t at, size_t max) {
  const uint8_t payload[] = {(uint8_t)rand(), (uint8_t)(rand() % 2)};
  return write_step(out, at, max, (uint8_t)(rand() % STEP_CODES), payload, sizeof payload);
}

// Changes, drops or repeats one of the steps in `before`, or inserts a new one.
static size_t change_steps(uint8_t *out, size_t max, const step_t *steps, int count) {
  enum { CHANGE = 6, INSERT, DROP, REPEAT, CHOICES };
  const int chosen = rand() % count, what = rand() % CHOICES;
  size_t at = 0;
  for (int i = 0; i < count; i++) {
    const step_t *step = &steps[i];
    if (i == chosen && what == INSERT) at = write_new(out, at, max);
    if (i == chosen && what <= CHANGE) at = write_changed(out, at, max, step);
    else if (i != chosen || what != DROP) at = write_step(out, at, max, step->code, step->payload, step->length);
    if (i == chosen && what == REPEAT) at = write_step(out, at, max, step->code, step->payload, step->length);
  }
  return at;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
  enum { ANY_BYTES_ONE_IN = 8, WALK_ONE_IN = 2 };
  static uint8_t before[1 << 14];
  step_t steps[MAX_STEPS];
  if (size > sizeof before) return LLVMFuzzerMutate(data, size, max_size);
  srand(seed);
  memcpy(before, data, size);
  const int count = read_steps(steps, before, (int)size);
  if (count == 0 || rand() % ANY_BYTES_ONE_IN == 0) return LLVMFuzzerMutate(data, size, max_size);
  const size_t at = change_steps(data, max_size, steps, count);
  const uint8_t goal = (uint8_t)(rand() % 4);
  // A WALK step, which goes to the end of a review, covers no new code, but shows and signs the changed data.
  return rand() % WALK_ONE_IN == 0 ? write_step(data, at, max_size, WALK, &goal, 1) : at;
}
