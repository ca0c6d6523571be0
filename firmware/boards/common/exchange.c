#include "exchange.h"

#include <string.h>

#include "board.h"
#include "front.h"
#include "runtime.h"
#include "signer.h"
#include "storage.h"
#include "trap.h"

enum { NOBODY = -1, ABANDONED_MICROSECONDS = 1000000 };
// Layout of a report (docs/APDU.md#transports).
enum { CHANNEL_BYTES = 2, SEQUENCE_AT = 3 };
// The modules use less stack than this (docs/boards/pico.md).
enum { STACK_WORDS = 250 };

static Z_signer_instance_t signer;
static int replying = NOBODY;  // the link that receives the reply
static int deciding = NOBODY;  // the link of the review on the display
static bool has_report;        // the report in the module's buffer must still be sent to `replying`
static uint32_t last_sent;     // time in microseconds when the last report was sent to `replying`
static uint8_t reply_channel[CHANNEL_BYTES], deciding_channel[CHANNEL_BYTES];
static uint32_t reports_sent;  // reports of the reply sent so far
uint8_t outgoing_report[REPORT_BYTES];

// Imports of the signer (docs/APDU.md#platform-interface). front.c has the imports for the display and the
// seed.

u32 Z_halZ_settings_load(struct Z_hal_instance_t *hal, u32 out, u32 length) {
  (void)hal;
  return length == SETTINGS_BYTES && settings_load(module_span(out, SETTINGS_BYTES));
}

void Z_halZ_settings_store(struct Z_hal_instance_t *hal, u32 from, u32 length) {
  (void)hal;
  if (length == SETTINGS_BYTES) settings_store(module_span(from, SETTINGS_BYTES));
}

void exchange_start(void) {
  board_erase_old_seed();
  front_start();
  Z_signer_init_module();
  Z_signer_instantiate(&signer, &signer_hal);
  Z_signerZ_security_counter(&signer, board_security_counter());
  Z_signerZ_allow_quit(&signer);
  Z_signerZ_boot(&signer);
  front_work();
  front_show();
}

static void reply_to(int link) {
  replying = link;
  has_report = false;
  reports_sent = 0;
  last_sent = board_microseconds();
}

// If the signer draws after a report but does not reply, the report opened a review or cancelled the open
// one.
static void take_report(int link, const uint8_t *report) {
  memcpy(reply_channel, report, CHANNEL_BYTES);
  memcpy(module_span(Z_signerZ_report_buffer(&signer), REPORT_BYTES), report, REPORT_BYTES);
  link_done(link);
  front_forget_drawing();
  replying = link;
  const bool replied = Z_signerZ_report(&signer, link);
  replying = NOBODY;
  if (replied) reply_to(link);
  else if (front_signer_drew()) {
    memcpy(deciding_channel, reply_channel, CHANNEL_BYTES);
    deciding = deciding == NOBODY ? link : NOBODY;
  }
}

// Returns whether outgoing_report equals the module's report and is the next report of this reply, which
// detects a fault. The function must not be inlined: it would then use an address that the fault has changed.
__attribute__((noinline)) static bool is_due(void) {
  const uint8_t *given = module_span(Z_signerZ_report_buffer(&signer), REPORT_BYTES);
  const uint32_t sequence = (uint32_t)given[SEQUENCE_AT] << 8 | given[SEQUENCE_AT + 1];
  return memcmp(outgoing_report, given, REPORT_BYTES) == 0 && memcmp(given, reply_channel, CHANNEL_BYTES) == 0 &&
         sequence == reports_sent;
}

static bool give_report(void) {
  if (!has_report) has_report = Z_signerZ_reply_report(&signer);
  if (!has_report) {
    replying = NOBODY;
    return true;
  }
  if (!link_can_send(replying)) return false;
  memcpy(outgoing_report, module_span(Z_signerZ_report_buffer(&signer), REPORT_BYTES), REPORT_BYTES);
  if (!is_due()) trap();
  reports_sent++;
  link_send(replying);
  has_report = false;
  last_sent = board_microseconds();
  return true;
}

// Returns whether the host has not read the reply for a second. The next command then replaces the reply.
static bool is_abandoned(void) { return board_microseconds() - last_sent > ABANDONED_MICROSECONDS; }

static bool step_links(void) {
  if (front_is_quiet()) return false;
  if (replying != NOBODY && give_report()) return true;
  if (replying != NOBODY && !is_abandoned()) return false;
  for (int link = 0; link < LINKS; link++) {
    const uint8_t *report = link_received(link);
    if (!report) continue;
    take_report(link, report);
    return true;
  }
  return false;
}

static bool step_buttons(void) {
  const uint8_t press = front_take_press();
  if (!press) return false;
  // This is checked a second time, so that one skipped instruction does not make a press on a dark display
  // count.
  if (!front_press_counts()) return true;
  const int link = deciding;
  const bool replied = Z_signerZ_button(&signer, press) != 0;
  if (!replied) return true;
  deciding = NOBODY;
  if (link != NOBODY) {
    memcpy(reply_channel, deciding_channel, CHANNEL_BYTES);
    reply_to(link);
  }
  return true;
}

static void drop_host(void) {
  replying = deciding = NOBODY;
  Z_signerZ_cancel(&signer);
}

// Gives the display to the other module if it is that module's turn. An abandoned reply is then dropped.
static void settle_front(void) {
  if (!front_settle(deciding != NOBODY || (replying != NOBODY && !is_abandoned()))) return;
  replying = NOBODY;
  Z_signerZ_resume(&signer);
}

// Overwrites the stack, where a module's computation may have left secrets. The fill value is 0xFF, so that a
// test can measure how deep the stack was used.
__attribute__((noinline)) static void clear_stack(void) {
  uint32_t words[STACK_WORDS];
  memset(words, -1, sizeof words);
  __asm__("" ::"r"(words) : "memory");
}

bool exchange_step(void) {
  const bool lost = links_lost();
  if (lost) drop_host();
  const bool worked = front_work();
  const bool served = step_links() || step_buttons();
  settle_front();
  front_show();
  if (worked || served) clear_stack();
  return worked || served || lost;
}

static int waiting_link(void) { return replying != NOBODY ? replying : deciding; }

void exchange_answer_internal(void) {
  const int link = waiting_link();
  if (link == NOBODY || !link_can_send(link)) return;
  const uint8_t *channel = replying != NOBODY ? reply_channel : deciding_channel;
  const uint8_t report[REPORT_BYTES] = {channel[0], channel[1], 0x05, 0, 0, 0, 2, 0x6F, 0x00};
  memcpy(outgoing_report, report, sizeof report);
  link_send(link);
}

bool exchange_is_answered(void) { return waiting_link() == NOBODY || link_can_send(waiting_link()); }
