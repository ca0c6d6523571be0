// Defaults of functions that a board may omit. They have their own file, so that the compiler cannot inline
// them into a caller.
#include "board.h"
#include "vault.h"

#define ABSENT __attribute__((weak))

ABSENT uint32_t board_security_counter(void) { return 0; }

ABSENT void board_begin_turn(void) {}

ABSENT bool board_is_asleep(void) { return false; }

ABSENT bool display_took_late(void) { return false; }

ABSENT bool display_rest(bool dark) {
  (void)dark;
  return false;
}

ABSENT void board_erase_old_seed(void) {}

ABSENT answer_t board_noise(uint8_t *out, uint32_t length) {
  (void)out, (void)length;
  return FAILED;
}

ABSENT answer_t vault_read(uint8_t *out) {
  (void)out;
  return FAILED;
}

ABSENT answer_t vault_write(const uint8_t *record, const uint8_t *old_proof, const uint8_t *new_proof) {
  (void)record, (void)old_proof, (void)new_proof;
  return FAILED;
}

ABSENT answer_t vault_erase(void) { return FAILED; }

ABSENT answer_t vault_attempts(uint8_t *out) {
  (void)out;
  return FAILED;
}

ABSENT answer_t vault_begin_attempt(void) { return FAILED; }

ABSENT answer_t vault_stretch(const uint8_t *from, uint8_t *out) {
  (void)from, (void)out;
  return FAILED;
}

ABSENT answer_t vault_clear_attempts(const uint8_t *proof) {
  (void)proof;
  return FAILED;
}
