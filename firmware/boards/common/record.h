// A record in flash that survives a loss of power. It is at the start of one of two sectors, and consists of
// a mark, a number, the content, and the CRC-32 of these three.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "board.h"

enum { MARK_BYTES = 4, RECORD_HEAD_BYTES = 8 };

// Returns the content of the newest record, or null if no record is valid.
const void *record_load(const uint32_t sectors[2], const char *mark, uint32_t length);
// Stores the content. If power fails, record_load() returns either the old or the new content. Returns false
// if flash does not contain the new record afterwards.
bool record_store(const uint32_t sectors[2], const char *mark, const void *content, uint32_t length);
