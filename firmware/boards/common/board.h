// Functions that a board supplies. They must not block longer than the transfer of one frame to the display
// takes.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { REPORT_BYTES = 64, FRAME_BYTES = 1024, SEED_BYTES = 64, SETTINGS_BYTES = 16 };

// Starts display, buttons, flash and time. Called once, before all other functions.
void board_start(void);
// Called at the start of each turn of the main loop. It restarts a watchdog, which resets the board if the
// loop hangs. The default in absent.c does nothing.
void board_begin_turn(void);
// Sleeps until an interrupt. Returns immediately if an interrupt occurred since the last call.
void board_sleep(void);
// Returns whether the display must be off to save current, such as while USB is suspended. The default is
// false.
bool board_is_asleep(void);
// Returns the microseconds since power-on, modulo 2^32.
uint32_t board_microseconds(void);
// These functions are called in pairs. The pairs do not nest, and are not called in an interrupt.
void board_hold_interrupts(void);
void board_release_interrupts(void);
// Disables interrupts permanently, and starts a watchdog that resets the chip if board_wipe_and_reset() is
// not called within `milliseconds`.
void board_begin_trap(uint32_t milliseconds);
// Clears all RAM and resets the chip.
_Noreturn void board_wipe_and_reset(void);

// Returns the counter that a loader checked in the signed image. The default, without a loader, returns 0.
uint32_t board_security_counter(void);

// Erases the seed that firmware without a keystore kept in flash. The default does nothing.
void board_erase_old_seed(void);

// Shows a frame: 64 rows of 16 bytes, with the left pixel in the most significant bit. Returns false if the
// display did not accept the frame. The board must also pass the state of the keys to buttons_sample() every
// millisecond.
bool display_show(const uint8_t frame[FRAME_BYTES]);
// Returns whether the display accepted the frame later, after display_show() had returned false. The default
// is false, for displays that answer immediately.
bool display_took_late(void);
// Dims the display, or turns it off if `dark`, until the next frame. Returns whether the display can do this.
// The default returns false.
bool display_rest(bool dark);

// Flash is read and written by sectors, of the smallest size that can be erased. `offset` counts from the
// start of flash.
enum { FLASH_PAGE_BYTES = 256 };
extern const uint32_t settings_sectors[2];
const uint8_t *flash_read(uint32_t offset);
// Erases the sector and writes its first page.
void flash_write(uint32_t offset, const uint8_t page[FLASH_PAGE_BYTES]);

// Links exchange reports of 64 bytes with hosts. They are numbered from 0 to LINKS - 1; board.mk sets LINKS.
void links_start(void);
// Serves the links while interrupts are off.
void links_poll(void);
// Returns true once after the host of any link has disconnected.
bool links_lost(void);
// Returns the pending report, or null. The host may send the next report after link_done(). If the host
// disconnects, an interrupt may withdraw the report. A report that was already returned stays readable, and
// the next call returns null.
const uint8_t *link_received(int link);
void link_done(int link);
bool link_can_send(int link);
// Sends outgoing_report. The function has no argument for an address, because other memory would be sent if a
// fault skipped the instruction that sets the argument.
extern uint8_t outgoing_report[REPORT_BYTES];
void link_send(int link);
