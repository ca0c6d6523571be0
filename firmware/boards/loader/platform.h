// Functions that a board supplies to the loader, besides flash_read() of common/board.h. Offsets count from
// the start of flash.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { SECTOR_BYTES = 4096, SLOT_BYTES = 256 << 10 };

// The slot that images start from, and the one that updates are written to.
extern const uint32_t installed_slot, staged_slot;
extern const uint32_t counter_sectors[2];

void flash_erase(uint32_t offset);
// `page` has FLASH_PAGE_BYTES bytes and is not in flash.
void flash_program(uint32_t offset, const uint8_t *page);

// Whether the vectors belong to a program of `length` bytes after the header of the installed slot.
bool vectors_fit(const uint32_t *vectors, uint32_t length);
_Noreturn void start_installed(void);
// Waits for an image to be copied over USB, because there is none to start. It never returns, but is not
// declared so: the compiler would then put other code after the call, which would run if a fault skipped it.
void wait_for_image(void);
