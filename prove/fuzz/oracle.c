#include "oracle.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "device.h"
#include "finding.h"
#include "model.h"
#include "screen/menu.h"
#include "screen/review.h"
#include "screen/screen.h"
#include "secrets/keys.h"
#include "secrets/residue.h"
#include "secrets/secrets.h"
#include "test-seed.h"
#include "bytes.h"
#include "protocol.h"

enum { LAST_REASON = 43 };

static struct {
  uint64_t sessions, commands, presses, reviews, signatures;
} tally;

void oracle_print_tally(void) {
  const double seconds = (double)clock() / CLOCKS_PER_SEC;
  printf("%lu sessions: %lu commands, %lu presses, %lu reviews, %lu signatures\n", tally.sessions, tally.commands,
         tally.presses, tally.reviews, tally.signatures);
  printf("%.0f sessions a second of processor time\n", (double)tally.sessions / seconds);
}

// Counters that the fuzzer treats as coverage, for each pair of consecutive answers and their commands or
// presses. If an earlier command leaves a wrong state, the next one may run no new code, but gives a new
// pair.
enum { PAIRS = 1 << 13 };
__attribute__((section("__libfuzzer_extra_counters"))) static uint8_t pairs[PAIRS];
static uint32_t last_answer;

static void count_pair(const answer_t *answer, uint32_t to) {
  const uint8_t *status = answer->bytes + answer->length - 2;
  const uint32_t now = answer->length == 0 ? 0 : (uint32_t)(status[0] << 8 | status[1]);
  pairs[(last_answer << 16 ^ now << 8 ^ to) * 2654435761u >> 19] = 1;
  last_answer = now;
}

void oracle_create(void) { device_create(test_seed, (observer_t){on_text, on_frame, on_seed}); }

void oracle_start(void) {
  platform.locked = platform.has_settings = false;
  if (secrets_are_many()) keys_forget();
  menu_forget();
  last_answer = 0;
  oracle_restart();
  residue_reset();
}

// The last byte of a refusal's detail is its reason. Accepts any defined reason, because the model leaves it
// open.
static void check_reason(answer_t *right, const uint8_t *reply, int length) {
  const int reason_at = 3;
  if (right->length != 6 || length != 6) return;
  if (reply[reason_at] == 0 || reply[reason_at] > LAST_REASON) finding("a refusal has the undefined reason %d", reply[reason_at]);
  right->bytes[reason_at] = reply[reason_at];
}

// Accepts a refusal of the transaction in place of its review.
static void check_refusal(answer_t *right, const uint8_t *reply, int length) {
  if (!right->judged || length != 6) return;
  const int status = reply[4] << 8 | reply[5];
  const bool is_required = status == USER_REJECTED && menu_pays_contacts_only();
  if (status != MALFORMED && !is_required && (status < SENDER_MISMATCH || status > ESCROW_HASH_MISMATCH)) return;
  model_refuse();
  right->length = length;
  memcpy(right->bytes, reply, (size_t)length);
}

static void format_reply(char *out, const uint8_t *bytes, int length) {
  *out = 0;
  for (int i = 0; i < length; i++) out += sprintf(out, "%02x", bytes[i]);
}

static void check_reply(answer_t *right, int length, const char *to) {
  const uint8_t *reply = device_reply();
  if (length < 0 || length > MAX_REPLY) finding("a reply with the impossible length %d to %s", length, to);
  if (length > 0 && secrets_find(reply, length) >= 0) finding("the reply to %s contains 8 bytes of a secret", to);
  check_refusal(right, reply, length);
  check_reason(right, reply, length);
  if (length == right->length && memcmp(reply, right->bytes, (size_t)length) == 0) return;
  char given[2 * MAX_REPLY + 1], wanted[2 * MAX_REPLY + 1];
  format_reply(given, reply, length);
  format_reply(wanted, right->bytes, right->length);
  if (right->length == 0) finding("a reply to %s, which must not be answered yet: %s", to, given);
  if (length == 0) finding("no reply to %s; expected %s", to, wanted);
  finding("the reply to %s is %s; expected %s", to, given, wanted);
}

static void send_command(const uint8_t *command, int length, bool elsewhere) {
  answer_t right;
  const bool was_reviewing = model_is_reviewing();
  model_answer(&right, command, length, elsewhere);
  const int reply_length =
      elsewhere ? device_command_from_elsewhere(command, length) : device_command(command, length);
  tally.commands++;
  check_reply(&right, reply_length, "a command");
  if (length >= 5) count_pair(&right, command[1] % 8u * 2 + command[2] % 2u);
  check_residue("a command");
  if (was_reviewing) return review_moved(0);
  if (!model_is_reviewing()) return menu_check();
  tally.reviews++;
  review_opened();
}

void oracle_command(const uint8_t *command, int length) { send_command(command, length, false); }

void oracle_command_from_elsewhere(const uint8_t *command, int length) { send_command(command, length, true); }

// A decision requires both buttons on one of the two last pages, after all other pages.
static void press_in_review(int button) {
  answer_t right = {.length = 0};
  const page_kind_t page = review_page();
  const bool decides = button == BOTH && page != ITEM_PAGE;
  if (decides) model_answer_decision(&right, page == APPROVE_PAGE);
  const int length = device_button(button);
  check_reply(&right, length, "a press");
  check_residue("a press");
  count_pair(&right, (uint32_t)(16 + button * 4 + (int)page));
  if (!decides) return review_moved(button);
  menu_check();
  if (length > 64) tally.signatures++;
}

void oracle_press(int button) {
  tally.presses++;
  if (model_is_reviewing()) return press_in_review(button);
  menu_press(button);
  if (device_button(button) != 0) finding("the device replies to a press in the menu");
  menu_check();
}

void oracle_cancel(void) {
  device_cancel();
  model_cancel();
  check_residue("a cancel");
  menu_check();
}

void oracle_restart(void) {
  device_boot();
  model_boot();
  menu_check();
}

void oracle_finish(void) {
  static const uint8_t version[] = {0xe0, GET_APP_VERSION, 0, 0, 0};
  oracle_cancel();
  oracle_command(version, sizeof version);
  tally.sessions++;
}
