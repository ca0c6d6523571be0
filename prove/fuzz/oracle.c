#include "oracle.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "device.h"
#include "finding.h"
#include "secrets/keys.h"
#include "secrets/residue.h"
#include "secrets/secrets.h"
#include "test-seed.h"
#include "bytes.h"
#include "protocol.h"

enum { MAX_REPLY = 256, MAX_TEXT = 40, SIGNATURE_BYTES = 64 };

static struct {
  uint64_t sessions, commands, presses, reviews, signatures;
} tally;

void oracle_print_tally(void) {
  const double seconds = (double)clock() / CLOCKS_PER_SEC;
  printf("%lu sessions: %lu commands, %lu presses, %lu reviews, %lu signatures\n", tally.sessions, tally.commands,
         tally.presses, tally.reviews, tally.signatures);
  printf("%.0f sessions a second of processor time\n", (double)tally.sessions / seconds);
}

// Whether a command waits for the user, and the last text that was drawn on the page.
static bool reviewing;
static char last_text[MAX_TEXT + 1];

static void on_text(const uint8_t *text, int length, int x, int y, int width, int height) {
  if (length < 0 || length > MAX_TEXT) finding("a text has %d characters, at %d %d, of %d by %d", length, x, y, width, height);
  memcpy(last_text, text, (size_t)length);
  last_text[length] = 0;
}

static void on_frame(const uint8_t *frame) { (void)frame; }

page_kind_t oracle_page(void) {
  if (!reviewing) return NO_REVIEW;
  if (strcmp(last_text, "approve: press both") == 0) return APPROVE_PAGE;
  return strcmp(last_text, "press both to reject") == 0 ? REJECT_PAGE : ITEM_PAGE;
}

// Counters that the fuzzer treats as coverage, for each pair of consecutive answers and their commands or
// presses. If an earlier command leaves a wrong state, the next one may run no new code, but gives a new
// pair.
enum { PAIRS = 1 << 13 };
__attribute__((section("__libfuzzer_extra_counters"))) static uint8_t pairs[PAIRS];
static uint32_t last_answer;

static void count_pair(int length, uint32_t to) {
  const uint8_t *status = device_reply() + length - 2;
  const uint32_t now = length == 0 ? 0 : (uint32_t)(status[0] << 8 | status[1]);
  pairs[(last_answer << 16 ^ now << 8 ^ to) * 2654435761u >> 19] = 1;
  last_answer = now;
}

void oracle_create(void) {
  device_create(test_seed, (observer_t){on_text, on_frame, on_seed});
  keys_begin();
}

void oracle_start(void) {
  platform.locked = platform.has_settings = false;
  if (secrets_are_many()) keys_begin();
  last_answer = 0;
  oracle_restart();
  residue_reset();
}

static void check_reply(int length, const char *to) {
  if (length < 0 || length == 1 || length > MAX_REPLY) finding("a reply with the impossible length %d to %s", length, to);
  if (length > 0 && secrets_find(device_reply(), length) >= 0) finding("the reply to %s contains 8 bytes of a secret", to);
  check_residue(to);
}

// The keys of each account that a command names are secrets from then on.
static void note_account(const uint8_t *command, int length) {
  enum { ACCOUNT_AT = 5, MAX_ACCOUNT = 0x7fffffff };
  const bool names_account = length >= ACCOUNT_AT + 4 && command[1] >= GET_PUBLIC_KEY && command[1] <= SIGN_MESSAGE;
  if (names_account && u32_at(command + ACCOUNT_AT) <= MAX_ACCOUNT) keypair_of(u32_at(command + ACCOUNT_AT));
}

static void send_command(const uint8_t *command, int length, int (*send)(const uint8_t *command, int length)) {
  note_account(command, length);
  const int reply_length = send(command, length);
  tally.commands++;
  check_reply(reply_length, "a command");
  if (length >= 5) count_pair(reply_length, command[1] % 8u * 2 + command[2] % 2u);
  if (reviewing || reply_length != 0) return;
  reviewing = true;
  tally.reviews++;
}

void oracle_command(const uint8_t *command, int length) { send_command(command, length, device_command); }

void oracle_command_from_elsewhere(const uint8_t *command, int length) {
  send_command(command, length, device_command_from_elsewhere);
}

void oracle_press(int button) {
  tally.presses++;
  const page_kind_t page = oracle_page();
  const int length = device_button(button);
  check_reply(length, "a press");
  count_pair(length, (uint32_t)(16 + button * 4 + (int)page));
  if (length == 0) return;
  if (page == NO_REVIEW) finding("the device replies to a press in the menu");
  reviewing = false;
  if (length > SIGNATURE_BYTES) tally.signatures++;
}

void oracle_cancel(void) {
  device_cancel();
  reviewing = false;
  check_residue("a cancel");
}

void oracle_restart(void) {
  device_boot();
  reviewing = false;
}

void oracle_finish(void) {
  static const uint8_t version[] = {0xe0, GET_APP_VERSION, 0, 0, 0};
  oracle_cancel();
  oracle_command(version, sizeof version);
  if (reviewing) finding("the device does not answer after a session");
  tally.sessions++;
}
