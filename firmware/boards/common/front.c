#include "front.h"

#include <string.h>

#include "board.h"
#include "buttons.h"
#include "keystore.h"
#include "runtime.h"
#include "trap.h"
#include "vault.h"

enum { SECOND = 1000000, QUIET_MICROSECONDS = 100000, BAR_MICROSECONDS = 200000 };
enum { DIM_SECONDS = 60, DARK_SECONDS = 300 };

// A module's last drawing, and whether the drawing must still be shown while the module has the display.
struct Z_hal_instance_t {
  bool drawn;  // must be first, so that a skipped address calculation cannot make a store to it hit the frame
  uint8_t frame[FRAME_BYTES];
};

struct Z_hal_instance_t signer_hal;
static struct Z_hal_instance_t keystore_hal, *front;
static Z_keystore_instance_t keystore;
static volatile bool shown;                 // volatile: one skipped instruction then affects one test of it
static volatile bool counts;                // the frame was on the display at the last press; also volatile
static bool signer_drew;                    // since front_forget_drawing(), even if it is not shown yet
static bool sleeps;                         // the display is off and stays off
static bool quits;                          // the user has left the signer's menu
static bool works;                          // the keystore has work to do
static bool quiet;                          // a press in the keystore was less than QUIET_MICROSECONDS ago
static uint32_t pressed_at, shown_at;       // in microseconds
static uint32_t second_began, idle_seconds; // since the last press
static uint32_t still_seconds;              // since the last press or frame

// Imports of both modules.

__attribute__((noinline)) static const uint8_t *frame_at(const struct Z_hal_instance_t *hal, u32 address) {
  return hal == &keystore_hal ? keystore_span(address, FRAME_BYTES) : module_span(address, FRAME_BYTES);
}

// The copy is compared with the module's frame, to detect a fault during the copy.
void Z_halZ_display(struct Z_hal_instance_t *hal, u32 address) {
  memcpy(hal->frame, frame_at(hal, address), FRAME_BYTES);
  if (memcmp(hal->frame, frame_at(hal, address), FRAME_BYTES) != 0) trap();
  hal->drawn = true;
  if (hal == &signer_hal) signer_drew = true;
}

void Z_halZ_text(struct Z_hal_instance_t *hal, u32 text, u32 length, u32 x, u32 y, u32 width, u32 height) {
  (void)hal, (void)text, (void)length, (void)x, (void)y, (void)width, (void)height;
}

// Imports of the signer that the keystore answers.

u32 Z_halZ_locked(struct Z_hal_instance_t *hal) {
  (void)hal;
  return front == &keystore_hal || Z_keystoreZ_locked(&keystore);
}

u32 Z_halZ_seed(struct Z_hal_instance_t *hal, u32 out) {
  (void)hal;
  uint8_t *const to = module_span(out, SEED_BYTES);
  const u32 at = front == &keystore_hal ? 0 : Z_keystoreZ_seed(&keystore);
  if (!at) return 0;
  memcpy(to, keystore_span(at, SEED_BYTES), SEED_BYTES);
  return 1;
}

void Z_halZ_quit(struct Z_hal_instance_t *hal) {
  (void)hal;
  quits = true;
}

// Imports of the keystore for the board's vault and noise (vault.h).

u32 Z_halZ_noise(struct Z_hal_instance_t *hal, u32 out, u32 length) {
  (void)hal;
  return board_noise(keystore_span(out, length), length);
}

u32 Z_halZ_vault_read(struct Z_hal_instance_t *hal, u32 out) {
  (void)hal;
  return vault_read(keystore_span(out, RECORD_BYTES));
}

u32 Z_halZ_vault_write(struct Z_hal_instance_t *hal, u32 record, u32 old_proof, u32 new_proof) {
  (void)hal;
  const uint8_t *const from = keystore_span(record, RECORD_BYTES);
  return vault_write(from, keystore_span(old_proof, KEY_BYTES), keystore_span(new_proof, KEY_BYTES));
}

u32 Z_halZ_vault_erase(struct Z_hal_instance_t *hal) {
  (void)hal;
  return vault_erase();
}

u32 Z_halZ_vault_attempts(struct Z_hal_instance_t *hal, u32 out) {
  (void)hal;
  return vault_attempts(keystore_span(out, sizeof(uint32_t)));
}

u32 Z_halZ_vault_begin_attempt(struct Z_hal_instance_t *hal) {
  (void)hal;
  return vault_begin_attempt();
}

u32 Z_halZ_vault_stretch(struct Z_hal_instance_t *hal, u32 from, u32 out) {
  (void)hal;
  return vault_stretch(keystore_span(from, KEY_BYTES), keystore_span(out, KEY_BYTES));
}

u32 Z_halZ_vault_clear_attempts(struct Z_hal_instance_t *hal, u32 proof) {
  (void)hal;
  return vault_clear_attempts(keystore_span(proof, KEY_BYTES));
}

void front_start(void) {
  front = &keystore_hal;
  Z_keystore_init_module();
  Z_keystore_instantiate(&keystore, &keystore_hal);
  Z_keystoreZ_boot(&keystore, KEYSTORE_OPTIONS);
  works = true;
  second_began = board_microseconds();
}

// Presses that began before the new frame was shown are forgotten, because they were for the previous frame.
static void show(void) {
  if (sleeps) return;
  const uint8_t *frame = front->frame;
  __asm__("" : "+r"(frame)::"memory");
  // The address is loaded a second time, so that one skipped instruction does not show other memory.
  if (frame != front->frame) trap();
  shown = false;
  shown = display_show(frame);
  shown_at = board_microseconds();
  front->drawn = false;
  still_seconds = 0;
  buttons_forget();
}

static void notice_late_display(void) {
  if (shown || !display_took_late()) return;
  buttons_forget();
  shown = display_took_late();
}

// Dims and then turns off the display after some time without a press or a new frame, because a static page
// burns into some displays. A press on a dark display has no effect, as if the display had not accepted the
// frame.
static void rest(void) {
  still_seconds++;
  if (still_seconds == DIM_SECONDS) display_rest(false);
  if (still_seconds == DARK_SECONDS && display_rest(true)) shown = false;
}

static void notice_sleep(void) {
  if (board_is_asleep() == sleeps) return;
  sleeps = !sleeps;
  if (!sleeps) show();
  else if (display_rest(true)) shown = false;
}

static void pass_time(void) {
  if (board_microseconds() - second_began < SECOND) return;
  second_began += SECOND;
  if (!works && !sleeps) rest();
  Z_keystoreZ_idle(&keystore, ++idle_seconds);
  works = true;
}

bool front_work(void) {
  notice_late_display();
  notice_sleep();
  pass_time();
  if (!works) return false;
  works = Z_keystoreZ_work(&keystore);
  return true;
}

uint8_t front_take_press(void) {
  const uint8_t press = buttons_take();
  if (!press) return 0;
  pressed_at = second_began = board_microseconds();
  idle_seconds = still_seconds = 0;
  counts = shown;
  if (!shown) {
    show();
    return 0;
  }
  if (!counts) return 0;
  if (front == &signer_hal) return press;
  Z_keystoreZ_button(&keystore, press);
  quiet = works = true;
  return 0;
}

bool front_settle(bool is_pending) {
  if (quits) Z_keystoreZ_open_menu(&keystore);
  quits = false;
  struct Z_hal_instance_t *const next = Z_keystoreZ_in_front(&keystore) ? &keystore_hal : &signer_hal;
  if (next == front || is_pending) return false;
  front = next;
  front->drawn = true;
  return true;
}

// During a computation, only some frames of the progress bar are shown, because showing a frame takes time.
void front_show(void) {
  if (front->drawn && (!works || board_microseconds() - shown_at > BAR_MICROSECONDS)) show();
}

bool front_signer_drew(void) { return signer_drew; }

void front_forget_drawing(void) { signer_drew = false; }

bool front_press_counts(void) { return counts; }

bool front_is_quiet(void) {
  if (quiet && board_microseconds() - pressed_at > QUIET_MICROSECONDS) quiet = false;
  return quiet;
}
