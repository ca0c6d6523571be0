// What a board may have for its keystore (docs/KEYSTORE.md#platform): a source of noise, and a place that keeps
// secrets. A board that has neither leaves them to common, where each fails.
#pragma once
#include <stdint.h>

typedef enum { FAILED, DONE, NOT_YET } answer_t;
enum { RECORD_BYTES = 82, KEY_BYTES = 32 };

// Raw bytes, each with the entropy that KEYSTORE_OPTIONS claims.
answer_t board_noise(uint8_t *out, uint32_t length);

// The record, zeros where there is none; written whole or not at all, whenever the power goes.
answer_t vault_read(uint8_t *out);
answer_t vault_write(const uint8_t *from);
// Erases record and count.
answer_t vault_erase(void);
// The count of attempts, u32; raised, durably, before the second answers DONE.
answer_t vault_attempts(uint8_t *out);
answer_t vault_begin_attempt(void);
// 32 bytes through a key that only this chip has; `out` is zeroed first. Refused unless an attempt began since
// the last one.
answer_t vault_stretch(const uint8_t *from, uint8_t *out);
// Sets the count to 0, for the 32 bytes that prove the right PIN.
answer_t vault_clear_attempts(const uint8_t *proof);
