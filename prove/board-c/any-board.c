// Stubs for the analysis of the C that boards share: an unknown board, two unknown modules and any order of
// events. Interrupts occur wherever the board is called; volatile values may change at each access.
#include <__fc_builtin.h>
#include <stdbool.h>

#include "board.h"
#include "buttons.h"
#include "exchange.h"
#include "front.h"
#include "keystore.h"
#include "packets.h"
#include "runtime.h"
#include "signer.h"
#include "vault.h"

enum { SECTOR_BYTES = 4096, SETTINGS_SECTORS = 2, EVENTS = 2 };

static volatile uint32_t any;
static uint8_t flash[SETTINGS_SECTORS * SECTOR_BYTES];
const uint32_t settings_sectors[SETTINGS_SECTORS] = {0, SECTOR_BYTES};

// Simulates a byte on the UART, a millisecond, or nothing.
static void interrupt(void) {
  if (any) packets_take((uint8_t)any);
  if (any) buttons_sample((uint8_t)any);
}

bool board_is_asleep(void) { return any; }
void board_begin_turn(void) { interrupt(); }
void board_sleep(void) { interrupt(); }
uint32_t board_microseconds(void) {
  interrupt();
  return any;
}
void board_hold_interrupts(void) {}
void board_release_interrupts(void) { interrupt(); }
void board_begin_trap(uint32_t milliseconds) { (void)milliseconds; }
void board_wipe_and_reset(void) { Frama_C_abort(); }
uint32_t board_security_counter(void) { return any; }
void board_erase_old_seed(void) {}
bool display_show(const uint8_t frame[FRAME_BYTES]) {
  interrupt();
  return frame[0] + frame[FRAME_BYTES - 1] > (int)any;
}
bool display_took_late(void) { return any; }
bool display_rest(bool dark) { return dark && any; }

const uint8_t *flash_read(uint32_t offset) {
  //@ assert offset == 0 || offset == SECTOR_BYTES;
  return flash + offset;
}
// Power may fail in the middle, and a page may fail to be programmed.
void flash_write(uint32_t offset, const uint8_t page[FLASH_PAGE_BYTES]) {
  (void)(page[0] + page[FLASH_PAGE_BYTES - 1]);
  Frama_C_make_unknown((char *)flash + offset, SECTOR_BYTES);
  interrupt();
}

// Link 0 is the UART; the other link may behave in any way.
void uart_links_start(void), uart_links_poll(void), uart_link_done(int link), uart_link_send(int link);
bool uart_links_lost(void), uart_link_can_send(int link);
const uint8_t *uart_link_received(int link);
static uint8_t other_report[REPORT_BYTES];
void links_start(void) { uart_links_start(); }
void links_poll(void) { uart_links_poll(); }
bool links_lost(void) { return uart_links_lost() || any; }
const uint8_t *link_received(int link) { return link == 0 ? uart_link_received(link) : any ? other_report : 0; }
void link_done(int link) {
  if (link == 0) uart_link_done(link);
  else Frama_C_make_unknown((char *)other_report, REPORT_BYTES);
}
bool link_can_send(int link) { return link == 0 ? uart_link_can_send(link) : any; }
void link_send(int link) {
  if (link == 0) uart_link_send(link);
}

void uart_start(void) {}
void uart_put(uint8_t byte) { (void)byte; }
void uart_poll(void) { interrupt(); }
void panel_take(uint8_t type, uint8_t value) { (void)type, (void)value; }

static answer_t any_answer(uint8_t *out, uint32_t length) {
  if (out) Frama_C_make_unknown((char *)out, length);
  return any;
}
answer_t board_noise(uint8_t *out, uint32_t length) { return any_answer(out, length); }
answer_t vault_read(uint8_t *out) { return any_answer(out, RECORD_BYTES); }
answer_t vault_write(const uint8_t *record, const uint8_t *old_proof, const uint8_t *new_proof) {
  return any_answer(0, record[RECORD_BYTES - 1] + old_proof[KEY_BYTES - 1] + new_proof[KEY_BYTES - 1]);
}
answer_t vault_erase(void) { return any; }
answer_t vault_attempts(uint8_t *out) { return any_answer(out, sizeof(uint32_t)); }
answer_t vault_begin_attempt(void) { return any; }
answer_t vault_stretch(const uint8_t *from, uint8_t *out) { return any_answer(out, from[0] * 0 + KEY_BYTES); }
answer_t vault_clear_attempts(const uint8_t *proof) { return any_answer(0, proof[KEY_BYTES - 1]); }

// A module may call any import with any values, change its memory arbitrarily, and return any value.

static uint32_t any_signer(void) {
  struct Z_hal_instance_t *const hal = &signer_hal;
  Frama_C_make_unknown((char *)module_memory, MODULE_MEMORY_BYTES);
  for (int event = 0; event < EVENTS; event++) switch (any % 8) {
      case 0: Z_halZ_display(hal, any); break;
      case 1: Z_halZ_locked(hal); break;
      case 2: Z_halZ_quit(hal); break;
      case 3: Z_halZ_seed(hal, any); break;
      case 4: Z_halZ_settings_load(hal, any, any); break;
      case 5: Z_halZ_settings_store(hal, any, any); break;
      case 6: Z_halZ_text(hal, any, any, any, any, any, any); break;
      default: wasm_rt_trap(any);
    }
  return any;
}

static uint32_t any_keystore(Z_keystore_instance_t *keystore) {
  struct Z_hal_instance_t *const hal = keystore->Z_hal_instance;
  Frama_C_make_unknown((char *)keystore_memory, KEYSTORE_MEMORY_BYTES);
  for (int event = 0; event < EVENTS; event++) switch (any % 16) {
      case 0: Z_halZ_display(hal, any); break;
      case 1: Z_halZ_noise(hal, any, 64); break;
      case 2: Z_halZ_vault_read(hal, any); break;
      case 3: Z_halZ_vault_write(hal, any, any, any); break;
      case 4: Z_halZ_vault_erase(hal); break;
      case 5: Z_halZ_vault_attempts(hal, any); break;
      case 6: Z_halZ_vault_begin_attempt(hal); break;
      case 7: Z_halZ_vault_stretch(hal, any, any); break;
      case 8: Z_halZ_vault_clear_attempts(hal, any); break;
      default: break;
    }
  return any;
}

void Z_signer_init_module(void) { wasm_rt_register_func_type(0, 0); }
void Z_signer_instantiate(Z_signer_instance_t *signer, struct Z_hal_instance_t *hal) {
  signer->Z_hal_instance = hal;
  if (wasm_rt_is_initialized()) wasm_rt_allocate_memory(&signer->w2c_memory, 1, 1);
}
void Z_signerZ_security_counter(Z_signer_instance_t *signer, u32 counter) { (void)signer, (void)counter; }
void Z_signerZ_allow_quit(Z_signer_instance_t *signer) { (void)signer; }
void Z_signerZ_boot(Z_signer_instance_t *signer) { (void)signer, any_signer(); }
u32 Z_signerZ_report_buffer(Z_signer_instance_t *signer) { return (void)signer, any; }
u32 Z_signerZ_report(Z_signer_instance_t *signer, u32 link) { return (void)signer, (void)link, any_signer(); }
u32 Z_signerZ_reply_report(Z_signer_instance_t *signer) { return (void)signer, any_signer(); }
u32 Z_signerZ_button(Z_signer_instance_t *signer, u32 press) { return (void)signer, (void)press, any_signer(); }
void Z_signerZ_cancel(Z_signer_instance_t *signer) { (void)signer, any_signer(); }
void Z_signerZ_resume(Z_signer_instance_t *signer) { (void)signer, any_signer(); }

void Z_keystore_init_module(void) {}
void keystore_allocate_memory(wasm_rt_memory_t *memory, uint32_t pages, uint32_t max_pages);
void Z_keystore_instantiate(Z_keystore_instance_t *keystore, struct Z_hal_instance_t *hal) {
  keystore->Z_hal_instance = hal;
  keystore_allocate_memory(&keystore->w2c_memory, 1, 1);
}
void Z_keystoreZ_boot(Z_keystore_instance_t *keystore, u32 options) { (void)options, any_keystore(keystore); }
void Z_keystoreZ_button(Z_keystore_instance_t *keystore, u32 press) { (void)press, any_keystore(keystore); }
u32 Z_keystoreZ_work(Z_keystore_instance_t *keystore) { return any_keystore(keystore); }
void Z_keystoreZ_idle(Z_keystore_instance_t *keystore, u32 seconds) { (void)seconds, any_keystore(keystore); }
u32 Z_keystoreZ_locked(Z_keystore_instance_t *keystore) { return (void)keystore, any; }
u32 Z_keystoreZ_seed(Z_keystore_instance_t *keystore) { return (void)keystore, any; }
void Z_keystoreZ_open_menu(Z_keystore_instance_t *keystore) { any_keystore(keystore); }
u32 Z_keystoreZ_in_front(Z_keystore_instance_t *keystore) { return (void)keystore, any; }


int main(void) {
  Frama_C_make_unknown((char *)flash, sizeof flash);
  exchange_start(); links_start(); while (any || !any) { board_begin_turn(); if (!exchange_step()) board_sleep(); } return 0;
}
