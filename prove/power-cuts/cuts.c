// cuts FLASH OLD NEW OLDER DEPTH: cuts the power at every flash operation of a loader's start, and checks
// which image starts afterwards. FLASH is the whole flash before the start. OLD and NEW are signed images
// that may start; in the end NEW must start. If OLD is a dash, only NEW may start; if both are dashes, no
// image may start. OLDER is an image with a counter below those in the flash, which may never start, or a
// dash. DEPTH is the number of consecutive cuts, 1 or 2.
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board.h"
#include "platform.h"
#include "runtime.h"
#include "update.h"
#include "verifier.h"
#include "wasm-rt.h"

// The flash of a Pico (firmware/boards/pico/loader/pico.c).
enum { FLASH_BYTES = 2 << 20, LOADER_BYTES = 64 << 10, XIP_BASE = 0x10000000, HEADER = 256 };
const uint32_t installed_slot = LOADER_BYTES, staged_slot = LOADER_BYTES + SLOT_BYTES;
const uint32_t counter_sectors[2] = {FLASH_BYTES - 5 * SECTOR_BYTES, FLASH_BYTES - 4 * SECTOR_BYTES};
// Maximum size of images in these tests.
enum { USED = 192 << 10, COUNTERS = 2 * SECTOR_BYTES };
enum { SLOTS_END = LOADER_BYTES + 2 * SLOT_BYTES, KEPT = FLASH_BYTES - 3 * SECTOR_BYTES };

// The part of an interrupted operation that takes effect: nothing, the beginning, some of the bits, or all
// but the last byte.
enum { NOTHING, BEGINNING, SOME_BITS, ALMOST_ALL, REMAINS };
enum { STARTED = 1, WAITED, CUT, TRAPPED };
enum { NEVER = -1 };

static _Alignas(8) uint8_t flash[FLASH_BYTES], before[FLASH_BYTES];
static jmp_buf left;
static int operations, cut_at, remains;
static int last_cut = -1, last_remains;
static uint32_t noise = 1;
static long starts, cuts;

typedef struct {
  uint8_t bytes[SLOT_BYTES];
  uint32_t length;
} signed_image_t;
static signed_image_t old_image, new_image, older_image;

static uint8_t random_byte(void) {
  noise = noise * 1103515245 + 12345;
  return (uint8_t)(noise >> 16);
}

static void fail(const char *what) {
  if (last_cut < 0) printf("without a cut: %s\n", what);
  else printf("cut at operation %d, remains %d: %s\n", last_cut, last_remains, what);
  exit(1);
}

static void check_place(uint32_t offset, uint32_t unit) {
  const bool is_slot = offset >= LOADER_BYTES && offset < SLOTS_END && (offset - LOADER_BYTES) % SLOT_BYTES < USED;
  const bool is_counter = offset >= counter_sectors[0] && offset < KEPT;
  if (offset % unit != 0 || (!is_slot && !is_counter)) fail("the loader writes where it must not");
}

const uint8_t *flash_read(uint32_t offset) { return flash + offset; }

// Programming only clears bits.
static void change(uint32_t offset, const uint8_t *page, uint32_t length) {
  const bool is_cut = operations++ == cut_at;
  const uint32_t whole = !is_cut ? length : remains == BEGINNING ? length / 3 : remains == ALMOST_ALL ? length - 1 : 0;
  for (uint32_t i = 0; i < length; i++) {
    const uint8_t target = page ? flash[offset + i] & page[i] : 0xFF;
    const uint8_t changed = flash[offset + i] ^ target;
    if (i < whole) flash[offset + i] = target;
    else if (is_cut && remains == SOME_BITS) flash[offset + i] ^= changed & random_byte();
  }
  if (!is_cut) return;
  last_cut = cut_at;
  last_remains = remains;
  longjmp(left, CUT);
}

void flash_erase(uint32_t offset) {
  check_place(offset, SECTOR_BYTES);
  change(offset, NULL, SECTOR_BYTES);
}

void flash_program(uint32_t offset, const uint8_t *page) {
  check_place(offset, FLASH_PAGE_BYTES);
  change(offset, page, FLASH_PAGE_BYTES);
}

bool vectors_fit(const uint32_t *vectors, uint32_t length) {
  const uint32_t reset = vectors[1] - (XIP_BASE + LOADER_BYTES + HEADER);
  return reset < length && reset % 2 == 1;
}

void start_installed(void) { longjmp(left, STARTED); }
void wait_for_image(void) { longjmp(left, WAITED); }

// Functions that the verifier's module needs.
static uint8_t page_of_memory[65536];
uint32_t wasm_rt_call_stack_depth;
bool wasm_rt_is_initialized(void) { return true; }
uint32_t wasm_rt_register_func_type(uint32_t parameters, uint32_t results, ...) { return parameters + results; }
void wasm_rt_allocate_memory(wasm_rt_memory_t *memory, uint32_t pages, uint32_t max_pages) {
  memset(page_of_memory, 0, sizeof page_of_memory);
  wasm_rt_memory_t described = {.data = page_of_memory, .pages = pages, .max_pages = max_pages};
  described.size = sizeof page_of_memory;
  *memory = described;
}
void wasm_rt_free_memory(wasm_rt_memory_t *memory) { (void)memory; }
void wasm_rt_trap(wasm_rt_trap_t reason) {
  (void)reason;
  longjmp(left, TRAPPED);
}
uint8_t *module_span(uint32_t address, uint32_t length) {
  (void)length;
  return page_of_memory + address;
}

// Runs a start with a power cut at an operation, or without a cut; returns its outcome.
static int start(int at, int what_remains) {
  operations = 0;
  cut_at = at;
  remains = what_remains;
  starts++;
  const int outcome = setjmp(left);
  if (outcome != 0) return outcome;
  verifier_start();
  update_and_start();
}

static bool holds(const signed_image_t *image) {
  return image->length > 0 && memcmp(flash + installed_slot, image->bytes, image->length) == 0;
}

// Runs a start without a cut, which must start a valid image. Returns true if this is the new image.
static bool start_uncut(void) {
  const int outcome = start(NEVER, NOTHING);
  if (outcome == TRAPPED) fail("the loader traps");
  if (new_image.length == 0) {
    if (outcome != WAITED) fail("the loader starts an image that it must not start");
    return true;
  }
  if (outcome != STARTED) fail("the loader starts no image");
  if (holds(&new_image)) return true;
  if (!holds(&old_image)) fail("the loader starts an image that is incomplete or not allowed");
  return false;
}

static void check_end(void) {
  if (!start_uncut()) fail("the new image does not start in the end");
  const int needed = operations;
  start_uncut();
  if (needed != 0 && operations != 0) fail("a second start still changes the flash");
  if (memcmp(flash + KEPT, before + KEPT, FLASH_BYTES - KEPT) != 0) fail("the seed or the settings have changed");
}

static uint32_t counter_of(const signed_image_t *image) {
  uint32_t payload, counter;
  memcpy(&payload, image->bytes + 12, sizeof payload);
  memcpy(&counter, image->bytes + HEADER + payload + 8, sizeof counter);
  return counter;
}

// The image must not start from either slot; this destroys the flash's content.
static void check_never_starts(const signed_image_t *image, const char *what) {
  for (int slot = 0; slot < 2; slot++) {
    memset(flash + installed_slot, 0xFF, SECTOR_BYTES);
    memset(flash + staged_slot, 0xFF, SECTOR_BYTES);
    memcpy(flash + (slot == 0 ? installed_slot : staged_slot), image->bytes, image->length);
    if (start(NEVER, NOTHING) != WAITED) fail(what);
  }
}

// Checks that an older image never starts again after the new image has started.
static void check_against_older(void) {
  const bool is_older = old_image.length > 0 && new_image.length > 0 && counter_of(&old_image) < counter_of(&new_image);
  if (is_older) check_never_starts(&old_image, "an older image starts after the new one");
}

// State that a start may change.
typedef struct {
  uint8_t slots[2][USED], counters[COUNTERS];
} contents_t;

static void keep(contents_t *kept) {
  memcpy(kept->slots[0], flash + installed_slot, USED);
  memcpy(kept->slots[1], flash + staged_slot, USED);
  memcpy(kept->counters, flash + counter_sectors[0], COUNTERS);
}

static void bring_back(const contents_t *kept) {
  memcpy(flash + installed_slot, kept->slots[0], USED);
  memcpy(flash + staged_slot, kept->slots[1], USED);
  memcpy(flash + counter_sectors[0], kept->counters, COUNTERS);
}

// Cuts each operation of a start from the current flash, `depth` cuts in a row.
static void cut_every(int depth) {
  static contents_t saved[2];
  contents_t *const here = &saved[depth - 1];
  keep(here);
  for (int at = 0;; at++) {
    for (int what = 0; what < REMAINS; what++) {
      bring_back(here);
      if (start(at, what) != CUT) {
        bring_back(here);
        return;
      }
      cuts++;
      if (older_image.length > 0) {
        static contents_t cut;
        keep(&cut);
        check_never_starts(&older_image, "an image starts that is older than the counter");
        bring_back(&cut);
      }
      if (depth > 1) cut_every(depth - 1);
      check_end();
      check_against_older();
    }
  }
}

static void read_image(signed_image_t *image, const char *path) {
  if (strcmp(path, "-") == 0) return;
  FILE *file = fopen(path, "rb");
  if (!file) exit(2);
  image->length = (uint32_t)fread(image->bytes, 1, SLOT_BYTES, file);
  fclose(file);
}

int main(int count, char **words) {
  if (count != 6) return 2;
  FILE *file = fopen(words[1], "rb");
  if (!file || fread(flash, 1, FLASH_BYTES, file) != FLASH_BYTES) return 2;
  fclose(file);
  memcpy(before, flash, FLASH_BYTES);
  read_image(&old_image, words[2]);
  read_image(&new_image, words[3]);
  read_image(&older_image, words[4]);
  cut_every(atoi(words[5]));
  last_cut = -1;
  check_end();
  check_against_older();
  printf("%ld cuts, %ld starts\n", cuts, starts);
}
