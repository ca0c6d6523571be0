// A session as bytes: a sequence of steps `code u8, length u16le, payload`. Any bytes are a valid session.
#pragma once
#include <stdint.h>

enum step_code {
  RAW_COMMAND,       // the command's bytes
  PRESS,             // a byte for each button, 0 to 3
  CANCEL,            // empty
  RESTART,           // empty
  TRANSACTION,       // 8 bytes of choices, the token symbol, the transaction, the linked bytes
  MESSAGE,           // 4 bytes of choices, the message
  PUBLIC_KEY,        // account choice, P1
  WALK,              // destination
  LOCK,              // bit 0: whether the platform is locked from here on
  ELSEWHERE,         // the bytes of a command from another host
  STEP_CODES,
};

enum { MAX_STEPS = 48, STEP_HEADER = 3, MAX_PRESSES = 700 };

typedef struct {
  uint8_t code;
  const uint8_t *payload;
  int length;
} step_t;

// Splits a session into at most MAX_STEPS steps and returns their number. The last step may be incomplete.
int read_steps(step_t *steps, const uint8_t *bytes, int length);

// Runs a session on a new device; returns if nothing was found.
void run_session(const uint8_t *bytes, int length);
