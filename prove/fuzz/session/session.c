#include "session.h"

#include <stdbool.h>
#include <string.h>

#include "device.h"
#include "oracle.h"
#include "bytes.h"
#include "protocol.h"
#include "upload.h"

// Remaining presses in this session, so that it always ends.
static int presses_left;

static void press(int button) {
  if (presses_left-- > 0) oracle_press(button);
}

static void raw_command(const step_t *step, void (*send)(const uint8_t *command, int length)) {
  send(step->payload, step->length < MAX_COMMAND_BYTES ? step->length : MAX_COMMAND_BYTES);
}

static void public_key(const step_t *step) {
  if (step->length < 2) return;
  uint8_t command[9] = {0xe0, GET_PUBLIC_KEY, step->payload[1], 0, 4};
  put_u32(command + 5, chosen_account(step->payload[0]));
  oracle_command(command, sizeof command);
}

static void walk_to(page_kind_t page) {
  while (oracle_page() != NO_REVIEW && oracle_page() != page && presses_left > 0) press(RIGHT);
}

// Goes through a review to a goal: 0 approves, 1 rejects, 2 stops on the approve page, 3 goes to the approve
// page, back to the first page, and then approves.
static void walk(const step_t *step) {
  const int goal = step->length > 0 ? step->payload[0] & 3 : 0;
  if (oracle_page() == NO_REVIEW) return;
  walk_to(goal == 1 ? REJECT_PAGE : APPROVE_PAGE);
  if (goal == 3) {
    const int there = MAX_PRESSES - presses_left;
    for (int i = 0; i < there; i++) press(LEFT);
    walk_to(APPROVE_PAGE);
  }
  if (goal != 2) press(BOTH);
}

static void run_step(const step_t *step) {
  switch (step->code % STEP_CODES) {
    case RAW_COMMAND: return raw_command(step, oracle_command);
    case ELSEWHERE: return raw_command(step, oracle_command_from_elsewhere);
    case PRESS:
      for (int i = 0; i < step->length; i++) press(step->payload[i] & 3);
      return;
    case CANCEL: return oracle_cancel();
    case RESTART: return oracle_restart();
    case TRANSACTION: return upload_transaction(step->payload, step->length);
    case MESSAGE: return upload_message(step->payload, step->length);
    case PUBLIC_KEY: return public_key(step);
    case WALK: return walk(step);
    case LOCK: platform.locked = step->length > 0 && (step->payload[0] & 1) != 0; return;
  }
}

int read_steps(step_t *steps, const uint8_t *bytes, int length) {
  int count = 0;
  for (int at = 0; at + STEP_HEADER <= length && count < MAX_STEPS;) {
    const int wanted = u16_at(bytes + at + 1), left = length - at - STEP_HEADER;
    steps[count++] = (step_t){bytes[at], bytes + at + STEP_HEADER, wanted < left ? wanted : left};
    at += STEP_HEADER + wanted;
  }
  return count;
}

void run_session(const uint8_t *bytes, int length) {
  step_t steps[MAX_STEPS];
  const int count = read_steps(steps, bytes, length);
  presses_left = MAX_PRESSES;
  oracle_start();
  for (int i = 0; i < count; i++) run_step(&steps[i]);
  oracle_finish();
}
