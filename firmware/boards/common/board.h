// Functions that a board supplies. None blocks for longer than one frame takes to reach the display.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { REPORT_BYTES = 64, FRAME_BYTES = 1024, SEED_BYTES = 64, SETTINGS_BYTES = 16 };

// Starts display, buttons, flash and time; called once, first.
void board_start(void);
// Begins a turn of the main loop: feeds a watchdog, which resets a board whose loop hangs. The default of
// common does nothing.
void board_begin_turn(void);
// Sleeps until an interrupt; returns at once if there was one since the last call.
void board_sleep(void);
// Whether the board must draw no current for a display, such as on a suspended USB. The default is false.
bool board_is_asleep(void);
// Microseconds since power-on; wraps.
uint32_t board_microseconds(void);
// Calls come in pairs that do not nest, and not in an interrupt.
void board_hold_interrupts(void);
void board_release_interrupts(void);
// Disables interrupts permanently; resets the chip if board_wipe_and_reset() does not follow within
// `milliseconds`.
void board_begin_trap(uint32_t milliseconds);
// Clears all RAM and resets the chip.
_Noreturn void board_wipe_and_reset(void);

// The counter that a loader checked in the signed image. The default, without a loader, is 0.
uint32_t board_security_counter(void);

// Erases the seed that firmware without a keystore kept in flash. The default does nothing.
void board_erase_old_seed(void);

// 64 rows of 16 bytes, most significant bit left. Returns false if the display did not accept it. The state
// of the keys goes to buttons_sample() every millisecond.
bool display_show(const uint8_t frame[FRAME_BYTES]);
// Whether the display accepted the frame after display_show() returned false. The default, for displays that
// answer immediately, is false.
bool display_took_late(void);
// Dims or turns off the display until the next frame. The default, for displays that cannot, is false.
bool display_rest(bool dark);

// Flash is read and written by sectors of the smallest size that can be erased; `offset` counts from the
// start of flash.
enum { FLASH_PAGE_BYTES = 256 };
extern const uint32_t settings_sectors[2];
const uint8_t *flash_read(uint32_t offset);
// Erases the sector and writes its first page.
void flash_write(uint32_t offset, const uint8_t page[FLASH_PAGE_BYTES]);

// Links exchange reports of 64 bytes with hosts and are numbered from 0; board.mk sets their number LINKS.
void links_start(void);
// Serves the links while interrupts are off.
void links_poll(void);
// True once after the host of any link is gone.
bool links_lost(void);
// The pending report, or null. The host may send the next one after link_release(). An interrupt that loses
// the host may withdraw it: the returned report stays readable, and the next call returns null.
const uint8_t *link_received(int link);
void link_release(int link);
bool link_can_send(int link);
// Sends outgoing_report. It has no address argument: if a fault skipped the instruction that sets it, other
// memory would be sent.
extern uint8_t outgoing_report[REPORT_BYTES];
void link_send(int link);
