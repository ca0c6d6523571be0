// Stubs for the analysis of the loader: a flash with unknown content, and a verifier that may give any
// answer.
#include <__fc_builtin.h>

#include "board.h"
#include "counter.h"
#include "image.h"
#include "platform.h"
#include "runtime.h"
#include "update.h"
#include "verifier-module.h"
#include "verifier.h"

enum { FLASH_BYTES = 2 << 20, LOADER_BYTES = 64 << 10 };
const uint32_t installed_slot = LOADER_BYTES, staged_slot = LOADER_BYTES + SLOT_BYTES;
const uint32_t counter_sectors[2] = {FLASH_BYTES - 5 * SECTOR_BYTES, FLASH_BYTES - 4 * SECTOR_BYTES};

static volatile uint32_t any;
static uint8_t flash[FLASH_BYTES];

const loader_key_t loader_keys[2];
const uint32_t loader_key_count = 2;

const uint8_t *flash_read(uint32_t offset) {
  //@ assert offset < FLASH_BYTES;
  return flash + offset;
}
void flash_erase(uint32_t offset) {
  //@ assert offset % SECTOR_BYTES == 0 && LOADER_BYTES <= offset < FLASH_BYTES;
  Frama_C_make_unknown((char *)flash + offset, SECTOR_BYTES);
}
void flash_program(uint32_t offset, const uint8_t *page) {
  //@ assert offset % FLASH_PAGE_BYTES == 0 && LOADER_BYTES <= offset < FLASH_BYTES;
  (void)(page[0] + page[FLASH_PAGE_BYTES - 1]);
  Frama_C_make_unknown((char *)flash + offset, FLASH_PAGE_BYTES);
}
bool vectors_fit(const uint32_t *vectors, uint32_t length) { return vectors[0] + vectors[1] < length && any; }
void start_installed(void) { Frama_C_abort(); }
void wait_for_image(void) {}

void Z_verifier_init_module(void) {}
void Z_verifier_instantiate(Z_verifier_instance_t *verifier) {
  wasm_rt_allocate_memory(&verifier->w2c_memory, 1, 1);
}
u32 Z_verifierZ_buffer(Z_verifier_instance_t *verifier) { return (void)verifier, any; }
void Z_verifierZ_begin_digest(Z_verifier_instance_t *verifier) { (void)verifier; }
void Z_verifierZ_add_to_digest(Z_verifier_instance_t *verifier, u32 length) { (void)verifier, (void)length; }
void Z_verifierZ_end_digest(Z_verifier_instance_t *verifier) {
  (void)verifier;
  Frama_C_make_unknown((char *)module_memory, MODULE_MEMORY_BYTES);
}
u32 Z_verifierZ_signature_is_right(Z_verifier_instance_t *verifier) { return (void)verifier, any; }

int loader_main(void);
int main(void) {
  Frama_C_make_unknown((char *)flash, sizeof flash);
  return loader_main();
}
