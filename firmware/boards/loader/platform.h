// Functions that a board supplies to the loader, in addition to flash_read() of common/board.h. Offsets count
// from the start of flash.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { SECTOR_BYTES = 4096, SLOT_BYTES = 256 << 10 };

// The slot from which images start, and the slot to which updates are written.
extern const uint32_t installed_slot, staged_slot;
extern const uint32_t counter_sectors[2];

void flash_erase(uint32_t offset);
// `page` has FLASH_PAGE_BYTES bytes, and must not be in flash.
void flash_program(uint32_t offset, const uint8_t *page);

// Returns whether the vectors belong to a program of `length` bytes after the header of the installed slot.
bool vectors_fit(const uint32_t *vectors, uint32_t length);
_Noreturn void start_installed(void);
// Waits until an image is copied over USB, because there is no image to start. It never returns, but is not
// declared _Noreturn: the compiler could then place other code after the call, which would run if a fault
// skipped the call.
void wait_for_image(void);
