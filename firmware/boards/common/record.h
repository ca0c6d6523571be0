// A record that survives losses of power: the start of one of two sectors holds a mark, a number, content,
// and the CRC-32 of all three.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "board.h"

enum { MARK_BYTES = 4, RECORD_HEAD_BYTES = 8 };

// The newest content; null without one.
const void *record_load(const uint32_t sectors[2], const char *mark, uint32_t length);
// Whenever power fails, record_load() finds the old or the new content. Returns false if flash did not accept
// it.
bool record_store(const uint32_t sectors[2], const char *mark, const void *content, uint32_t length);
