// Seed and settings in flash.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// Whether a seed was provisioned, whole.
bool seed_exists(void);
// Copies 64 bytes; false, and nothing is copied, when there is no seed.
bool seed_load(uint8_t *out);

// Copies the settings that were stored last; false when none were.
bool settings_load(uint8_t *out);
// Whenever power goes, settings_load() finds the settings before or those after.
void settings_store(const uint8_t *settings);
