// What a board supplies. Nothing here blocks for longer than one frame takes to reach the display.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { REPORT_BYTES = 64, FRAME_BYTES = 1024, SEED_BYTES = 64, SETTINGS_BYTES = 16 };

// Display, buttons, flash and time; once, before all else.
void board_start(void);
// A turn of the main loop begins: feeds a watchdog, which resets a board whose loop hangs; nothing, as common has
// it, where none runs.
void board_begin_turn(void);
// Sleeps until an interrupt; returns at once when there was one since the last call.
void board_sleep(void);
// Whether the board may draw no current for a display, as on a USB that sleeps; false, as common has it, where that
// never is.
bool board_is_asleep(void);
// Microseconds since power-on; wraps.
uint32_t board_microseconds(void);
// Pairs that do not nest; not in an interrupt.
void board_hold_interrupts(void);
void board_release_interrupts(void);
// Disables interrupts for good; resets the chip if board_wipe_and_reset() does not follow within
// `milliseconds`.
void board_begin_trap(uint32_t milliseconds);
// Clears all RAM and resets the chip.
_Noreturn void board_wipe_and_reset(void);

// What a loader checked of the signed image; 0, as common has it, on a board without one.
uint32_t board_security_counter(void);

// Erases the seed that firmware without a keystore kept in flash; nothing, as common has it, where none did.
void board_erase_old_seed(void);

// 64 rows of 16 bytes, most significant bit left. False: the display did not take it. What the keys do goes
// to buttons_sample() once a millisecond.
bool display_show(const uint8_t frame[FRAME_BYTES]);
// Whether the display took that frame after display_show() said that it did not; false, as common has it,
// where it always knows at once.
bool display_took_late(void);
// Shows the frame dimly, or not at all, until the next one; false, as common has it, where it cannot.
bool display_rest(bool dark);

// Flash is read and written by sectors of the smallest size that can be erased; `offset` counts from the
// start of flash.
enum { FLASH_PAGE_BYTES = 256 };
extern const uint32_t settings_sectors[2];
const uint8_t *flash_read(uint32_t offset);
// Erases the sector and writes its first page.
void flash_write(uint32_t offset, const uint8_t page[FLASH_PAGE_BYTES]);

// Links carry reports of 64 bytes to and from hosts, numbered from 0; board.mk says how many LINKS there are.
void links_start(void);
// Serves the links while interrupts are off.
void links_poll(void);
// True once after the host of any link went away.
bool links_lost(void);
// A report that waits, or null. The host may send the next one after link_release(). An interrupt that loses the
// host may withdraw it: what was given stays readable, and the next call gives null.
const uint8_t *link_received(int link);
void link_release(int link);
bool link_can_send(int link);
// Sends outgoing_report. No address is given: an instruction that a fault skips would send other memory.
extern uint8_t outgoing_report[REPORT_BYTES];
void link_send(int link);
