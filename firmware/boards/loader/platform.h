// What a board supplies to the loader, besides flash_read() of common/board.h. Offsets count from the start
// of flash.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { SECTOR_BYTES = 4096, SLOT_BYTES = 256 << 10 };

// The slot that images start from, and the one that an update is written to.
extern const uint32_t installed_slot, staged_slot;
extern const uint32_t counter_sectors[2];

void flash_erase(uint32_t offset);
// `page` has FLASH_PAGE_BYTES bytes and is not in flash.
void flash_program(uint32_t offset, const uint8_t *page);

// Whether the vectors are those of a program that lies `length` bytes long behind the header of the installed
// slot.
bool vectors_fit(const uint32_t *vectors, uint32_t length);
_Noreturn void start_installed(void);
// There is no image to start: waits for one to be copied over USB. It does not return, which the compiler is not told:
// it would put other code behind a call, where one that is skipped goes on.
void wait_for_image(void);
