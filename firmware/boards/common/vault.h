// Functions that a board may supply for its keystore (docs/KEYSTORE.md#platform): a source of noise, and a
// vault. A board with neither uses the defaults of common, which fail.
#pragma once
#include <stdint.h>

typedef enum { FAILED, DONE, NOT_YET } answer_t;
enum { RECORD_BYTES = 82, KEY_BYTES = 32 };

// Raw bytes, each with the entropy claimed in KEYSTORE_OPTIONS.
answer_t board_noise(uint8_t *out, uint32_t length);

// The record, or zeros without one; written completely or not at all, even if power fails.
answer_t vault_read(uint8_t *out);
answer_t vault_write(const uint8_t *from);
// Erases record and count.
answer_t vault_erase(void);
// The count of attempts, u32; raised, durably, before the second answers DONE.
answer_t vault_attempts(uint8_t *out);
answer_t vault_begin_attempt(void);
// Maps 32 bytes through a key that only this chip has; `out` is zeroed first. Refused unless an attempt began
// since the last call.
answer_t vault_stretch(const uint8_t *from, uint8_t *out);
// Sets the count to 0 if given the 32 bytes that prove the correct PIN.
answer_t vault_clear_attempts(const uint8_t *proof);
