// What the signer must answer (docs/APDU.md), computed beside it from the commands that it was sent.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { MAX_REPLY = 256 };

// The one right reply; `length` 0 says that the user must decide.
typedef struct {
  int length;
  uint8_t bytes[MAX_REPLY];
} answer_t;

// The device was restarted; what the user set stays.
void model_boot(void);
void model_cancel(void);

// The answer to a command. If it is a review, model_answer_decision gives the reply that a decision requires.
void model_answer(answer_t *answer, const uint8_t *command, int length);
void model_answer_decision(answer_t *answer, bool approved);

bool model_is_reviewing(void);
