// The required answers of the signer (docs/APDU.md), computed from the commands that it receives.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { MAX_REPLY = 256 };

// The only correct reply. A length of 0 means that the user must decide first. If the content of a transaction
// was judged, a refusal of it is correct too; other engines prove which one is.
typedef struct {
  int length;
  bool judged;
  uint8_t bytes[MAX_REPLY];
} answer_t;

// Restarts the modelled device. The user's settings are kept.
void model_boot(void);
void model_cancel(void);

// The answer to a command, which may come from elsewhere: over another link and channel. If it is a review, model_answer_decision gives the reply that a decision requires.
void model_answer(answer_t *answer, const uint8_t *command, int length, bool elsewhere);
void model_answer_decision(answer_t *answer, bool approved);
// Closes the review of a transaction that the device refused.
void model_refuse(void);

bool model_is_reviewing(void);
