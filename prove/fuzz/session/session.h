// A session as bytes: steps one behind the other, each `code u8, length u16le, payload`. Any bytes are a
// session.
#pragma once
#include <stdint.h>

enum step_code {
  RAW_COMMAND,       // the command's bytes
  PRESS,             // a button each, 0 to 3
  CANCEL,            // nothing
  RESTART,           // nothing
  TRANSACTION,       // 8 bytes of choices, the token symbol, the transaction, what is linked
  MESSAGE,           // 4 bytes of choices, the message
  PUBLIC_KEY,        // account choice, P1
  WALK,              // where to
  LOCK,              // bit 0: whether the platform is locked from here on
  STEP_CODES,
};

enum { MAX_STEPS = 48, STEP_HEADER = 3, MAX_PRESSES = 700 };

typedef struct {
  uint8_t code;
  const uint8_t *payload;
  int length;
} step_t;

// Splits a session into at most MAX_STEPS steps and returns their number. The last step may be shorter.
int read_steps(step_t *steps, const uint8_t *bytes, int length);

// Runs a session on a fresh device; returns when nothing was found.
void run_session(const uint8_t *bytes, int length);
