// A record that is kept over losses of power: the start of one of two sectors holds a mark, a number, content, and
// the CRC-32 of all three.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "board.h"

enum { MARK_BYTES = 4, RECORD_HEAD_BYTES = 8 };

// The newest content; null when there is none.
const void *record_load(const uint32_t sectors[2], const char *mark, uint32_t length);
// Whenever power goes, record_load() finds the content before or that after. False: flash did not take it.
bool record_store(const uint32_t sectors[2], const char *mark, const void *content, uint32_t length);
