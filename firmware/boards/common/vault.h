// Functions that a board may supply for its keystore (docs/KEYSTORE.md#platform): a source of noise, and a
// vault. The defaults in absent.c return FAILED.
#pragma once
#include <stdint.h>

typedef enum { FAILED, DONE, NOT_YET } answer_t;
enum { RECORD_BYTES = 82, KEY_BYTES = 32 };

// Writes raw bytes, each with the entropy that KEYSTORE_OPTIONS claims.
answer_t board_noise(uint8_t *out, uint32_t length);

// Reads the record. If no record is stored, zeros are read.
answer_t vault_read(uint8_t *out);
// Stores a record and the proof of its PIN, completely or not at all, even if power fails. Returns FAILED if a
// record is stored and `old_proof` is not its proof.
answer_t vault_write(const uint8_t *record, const uint8_t *old_proof, const uint8_t *new_proof);
// Erases the record and the count of attempts.
answer_t vault_erase(void);
// vault_attempts() writes the count of attempts, u32. vault_begin_attempt() raises the count; it must be
// stored durably before the function returns DONE.
answer_t vault_attempts(uint8_t *out);
answer_t vault_begin_attempt(void);
// Maps 32 bytes with a key that only this chip has. First writes zeros to `out`. Returns FAILED unless an
// attempt began since the last call.
answer_t vault_stretch(const uint8_t *from, uint8_t *out);
// Sets the count to 0 if `proof` is the proof of the record, which only its PIN gives.
answer_t vault_clear_attempts(const uint8_t *proof);
